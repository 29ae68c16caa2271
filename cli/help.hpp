// rankmap help: the everyday subcommands, every one, or one in full.
#pragma once

#include "cli/command.hpp"

namespace rankmap::cli {

// `program` must outlive the action.
Action setup_help(CLI::App& app, CLI::App& program);

}  // namespace rankmap::cli
