// Where the program's own things are: beside it in a build or installed tree, else as configured.
#pragma once

#include "cli/command.hpp"

namespace rankmap::cli {

// Fills everything but `command`. RANKMAP_SHARE overrides the share directory. What is not found
// stays empty; whoever needs it says so.
Context find_paths();

}  // namespace rankmap::cli
