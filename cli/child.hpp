// Another program in our place: started, given our signals, waited for.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace rankmap::cli {

struct Child {
  std::vector<std::string> argv;
  std::vector<std::pair<std::string, std::string>> environment;  // on top of ours
  std::string output;  // file for what it says on stdout and stderr; "": ours
};

// The program's exit code, 128 + signal where it was killed, 127 or 126 where it cannot start (a line
// on stderr says why). Signals sent to this process alone are passed on; those of the terminal reach
// the program by themselves.
int start_and_wait(const Child& child);

}  // namespace rankmap::cli
