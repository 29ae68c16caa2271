// What a node is called when only the file it came from has a name.
#pragma once

#include <string>

namespace rankmap {

// "runs/node7.txt" -> "node7".
inline std::string name_of_source(const std::string& source) {
  const std::string file = source.substr(source.rfind('/') + 1);
  const std::size_t dot = file.rfind('.');
  return dot == std::string::npos || dot == 0 ? file : file.substr(0, dot);
}

}  // namespace rankmap
