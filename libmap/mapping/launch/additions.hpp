// What is put into a launcher's command line beside the wrapper: no binding of its own, variables
// for the ranks; and what is said about it.
#pragma once

#include "libmap/mapping/launch/command_line.hpp"

namespace rankmap {

struct Additions {
  std::vector<std::string> first;              // directly behind the launcher's name
  std::vector<std::string> context;            // before the options of every context
  std::vector<std::vector<std::string>> last;  // behind the options of each context
  Variables environment;
  std::vector<std::string> notes;
};

// who: what binds the ranks instead, for the notes. UncertainCommand: a variable that does not get
// through to the ranks, or that the command line sets as well.
Additions additions_for(const CommandLine& line, LauncherKind kind, const Variables& variables,
                        const LaunchOptions& options, std::string_view who);

}  // namespace rankmap
