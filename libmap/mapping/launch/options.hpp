// The options of the launchers and the grammar of their command lines, as far as needed to find the
// program behind them.
#pragma once

#include <span>
#include <string_view>

#include "libmap/mapping/launch.hpp"

namespace rankmap {

// The words that follow an option's own word.
enum class Takes {
  none,
  one,
  two,
  pair,     // NAME VALUE, or NAME=VALUE as one word
  setting,  // NAME=VALUE as one word; where there is no =, its extent is not certain
  attached  // nothing, or a value in the same word
};

// What an option means for us, beyond being passed over; a set of bits.
namespace effect {
inline constexpr unsigned binds = 1 << 0;        // the user asked for CPUs
inline constexpr unsigned binds_gpus = 1 << 1;   // the user asked for GPUs of ranks
inline constexpr unsigned isolates = 1 << 2;     // a rank does not see its neighbours' GPUs
inline constexpr unsigned maps = 1 << 3;         // the user placed the ranks; may bind too
inline constexpr unsigned places = 1 << 4;       // other hosts may come into it
inline constexpr unsigned counts = 1 << 5;       // the number of ranks
inline constexpr unsigned elsewhere = 1 << 6;    // the program stands in a file
inline constexpr unsigned filters = 1 << 7;      // not the whole environment reaches the ranks
inline constexpr unsigned sets = 1 << 8;         // a setting whose name may ask for a binding
inline constexpr unsigned unbound = 1 << 9;      // the user asked for no binding, in so many words
inline constexpr unsigned module = 1 << 10;      // torchrun: the program is a Python module
inline constexpr unsigned executable = 1 << 11;  // torchrun: the program is not a Python script
inline constexpr unsigned inside = 1 << 12;      // torchrun: the program runs in torchrun's process
}  // namespace effect

struct LauncherOption {
  std::string_view name;  // without leading dashes
  Takes takes = Takes::none;
  unsigned effects = 0;
  char letter = 0;  // of a launcher that takes letters with values attached: -n4
};

enum class Colon { argument, separates, unknown };

struct LauncherSyntax {
  std::string_view subcommand = {};      // must stand behind the launcher's name; "": none
  bool letters = false;                  // -n4, --ntasks=4: the options of getopt_long and argparse
  bool equals_after_one_dash = false;    // -n=4
  bool equals_after_two_dashes = false;  // --n=4
  bool ends_at_two_dashes = false;       // -- PROGRAM
  bool underscores = false;              // --nproc_per_node is --nproc-per-node
  bool plugins = false;  // may have options of its site's own; --name=value is one word in any case
  bool program_once = false;  // a context without a program runs the next one's
  Colon colon = Colon::separates;
  std::span<const LauncherOption> options = {};
};

LauncherSyntax launcher_syntax(LauncherKind kind);

// The tables, one a launcher.
std::span<const LauncherOption> openmpi_options();
std::span<const LauncherOption> prrte_options();
std::span<const LauncherOption> hydra_options();
std::span<const LauncherOption> intel_options();
std::span<const LauncherOption> srun_options();
std::span<const LauncherOption> flux_options();
std::span<const LauncherOption> jsrun_options();
std::span<const LauncherOption> pals_options();
std::span<const LauncherOption> torchrun_options();

}  // namespace rankmap
