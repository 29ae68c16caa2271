// How a variable reaches every rank.
#pragma once

#include "libmap/mapping/launch/additions.hpp"

namespace rankmap {

// Adds words or environment to additions, whose `last` has one entry a context.
void add_variables(const CommandLine& line, LauncherKind kind, const Variables& variables,
                   const Environment& inherited, Additions& additions);

}  // namespace rankmap
