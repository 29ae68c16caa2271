// One row of the table of `nvidia-smi topo -m`, by the header it stands under.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "libmap/base/error.hpp"
#include "libmap/machine/read/nvidia_topo_header.hpp"
#include "libmap/machine/read/nvidia_topo_table.hpp"

namespace rankmap {

// The device that a line is the row of, or what stands in its place; "" for a blank line.
std::string topo_row_label(const TopoHeader& header, std::string_view line);

// The words behind the label; in a markdown table the cells under devices.
std::vector<std::string> topo_row_words(const TopoHeader& header, std::string_view line);

// `cut_here`: the text ends with this line, so a row that is too short is one that was cut (found
// stays false). InputError at `where` with the row's and column's device for any other damage.
TopoRow parse_topo_row(const TopoHeader& header, std::string_view line, const TextPosition& where,
                       bool cut_here, std::vector<std::string>& warnings);

}  // namespace rankmap
