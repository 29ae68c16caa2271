// The seam of the subcommands: one file and one row each. No algorithm lives in cli/.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace rankmap::cli {

// Where the program finds its own things, and the words after "--".
struct Context {
  std::string share_directory;       // machines, schemas
  std::string self_path;             // this program
  std::string exec_path;             // rankmap-exec
  std::string shim_path;             // librankmap_shim.so
  std::vector<std::string> command;  // after "--"; empty: there was no "--" or nothing after it
};

// Adds the options to `app`; the returned action runs the subcommand and gives the exit code.
using Action = std::function<int()>;
using Setup = Action (*)(CLI::App& app, const Context& context);

struct Command {
  const char* name;
  const char* summary;
  const char* examples;  // shown below the options
  bool everyday;         // else shown by `rankmap help --all`
  bool takes_command;    // words after "--" belong to it
  Setup setup;
};
std::span<const Command> commands();

Action setup_map(CLI::App& app, const Context& context);
Action setup_run(CLI::App& app, const Context& context);
Action setup_check(CLI::App& app, const Context& context);
Action setup_show(CLI::App& app, const Context& context);
Action setup_machine(CLI::App& app, const Context& context);
Action setup_pattern(CLI::App& app, const Context& context);
Action setup_score(CLI::App& app, const Context& context);
Action setup_export(CLI::App& app, const Context& context);
Action setup_exec(CLI::App& app, const Context& context);

}  // namespace rankmap::cli
