// Lists of hosts as resource managers write them: `n[01-04,07],login1`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rankmap {

inline constexpr std::size_t most_hosts = 1 << 20;
inline constexpr std::size_t longest_host = 255;

// The names one by one, in order; any number of brackets a name, zeros kept (`n[08-10]`). UsageError
// (naming `source`): an open bracket, a range that runs backwards, a name that is empty, has a blank or
// is longer than longest_host, more than most_hosts.
std::vector<std::string> expand_host_list(std::string_view list, const std::string& source);

}  // namespace rankmap
