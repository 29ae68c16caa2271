// A launcher's command line, taken apart: the options of each application context, and its program.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "libmap/mapping/launch/options.hpp"

namespace rankmap {

// Why the place of the program is not certain.
class UncertainCommand : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct GivenOption {
  std::string_view name;            // as the table spells it, or the user where it is in no table
  unsigned effects = 0;             // the table's, with what the value adds
  std::size_t first = 0, last = 0;  // its words in argv
  std::string value;                // the words behind a pair's or a two's name joined by "="
};

struct CommandContext {
  std::size_t first = 0;               // its first option, or what stands there
  std::size_t options_end = 0;         // behind its last option
  std::optional<std::size_t> program;  // nullopt: it runs the next context's program
  std::size_t end = 0;                 // behind the program's last argument
  std::vector<GivenOption> options;
};

struct CommandLine {
  std::size_t head = 1;  // words that stand before all options: the launcher's name, `run`
  std::vector<CommandContext> contexts;
};

// Every word of argv belongs to the head, to one context, or is a ":" between two. Throws
// UncertainCommand.
CommandLine read_command_line(const std::vector<std::string>& argv, LauncherKind kind);

// All effects of a line's options.
unsigned effects_of(const CommandLine& line);

}  // namespace rankmap
