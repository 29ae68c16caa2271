// rankmap help: the everyday subcommands, every one, or one in full.
#pragma once

#include "cli/command.hpp"

namespace rankmap::cli {

// `program` and `context` must outlive the action.
Action setup_help(CLI::App& app, const CLI::App& program, const Context& context);

}  // namespace rankmap::cli
