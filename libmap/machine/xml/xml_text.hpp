// What all XML readers share: the root element's name, well-formedness with line and column,
// limits.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "libmap/base/error.hpp"
#include "libmap/base/units.hpp"

namespace pugi {
class xml_document;
class xml_node;
}  // namespace pugi

namespace rankmap {

// The first element's name after declaration, comments and DOCTYPE; "" if there is none.
std::string_view xml_root_name(std::string_view text);

inline constexpr Bytes xml_size_limit = 32U << 20;
inline constexpr int xml_depth_limit = 128;

// Line and column of a byte of the text. O(offset).
TextPosition xml_position(std::string_view text, const std::string& source, std::ptrdiff_t offset);

// Parses a whole text. InputError: not well-formed, larger than xml_size_limit, or nested deeper
// than xml_depth_limit (so that recursive walks are safe). Linear in the size.
void load_xml(std::string_view text, const std::string& source, pugi::xml_document& document);

}  // namespace rankmap
