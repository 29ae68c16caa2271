// Whole files in and out. "-" is standard input or output.
#pragma once

#include <string>
#include <string_view>

#include "libmap/base/units.hpp"

namespace rankmap {

inline constexpr Bytes default_file_limit = 64U << 20;

// The whole content. SystemError if it cannot be read, InputError if it is longer than `limit`.
std::string read_text(const std::string& path, Bytes limit = default_file_limit);

// Writes beside the target and renames over it, so that no reader sees half a file; to "-" it
// writes straight through. A target that is not a regular file (/dev/stdout, a pipe) is written
// in place. SystemError when the system refuses.
void write_text(const std::string& path, std::string_view content);

bool is_regular_file(const std::string& path);

}  // namespace rankmap
