// Man pages and shell completion, made from the same tables and options as the help.
#pragma once

#include <string>

#include "cli/command.hpp"

namespace rankmap::cli {

// A man page (troff, section 1) of one subcommand.
std::string man_page(const CLI::App& sub, const Command& command);
// The man page of the program: all subcommands and exit codes.
std::string man_page_of_program();
// A bash completion script: subcommands, their options, machine names, kinds of patterns.
std::string bash_completion(const CLI::App& program, const Context& context);

}  // namespace rankmap::cli
