// The new command line out of the old one's words and the additions.
#pragma once

#include "libmap/mapping/launch/additions.hpp"

namespace rankmap {

// Every word of argv in its order; wrapper before each program.
Launch assemble(const std::vector<std::string>& argv, const CommandLine& line,
                const Additions& additions, const std::vector<std::string>& wrapper);

// torchrun puts Python before the program: here the wrapper comes first, and Python behind it.
// UncertainCommand: the program is to run in torchrun's own process.
Launch assemble_torchrun(const std::vector<std::string>& argv, const CommandLine& line,
                         const Additions& additions, const std::vector<std::string>& wrapper,
                         const Environment& inherited);

}  // namespace rankmap
