// A table of text with aligned columns, for people.
#pragma once

#include <string>
#include <vector>

namespace rankmap {

// Rows of cells; the first row is the header. Columns are as wide as their widest cell and
// separated by two blanks; cells of `right` columns (by index) are aligned right. No blanks at line
// ends.
std::string text_table(const std::vector<std::vector<std::string>>& rows,
                       const std::vector<std::size_t>& right = {});

// A number for people: up to 6 significant digits, no trailing zeros.
std::string readable(double value);

}  // namespace rankmap
