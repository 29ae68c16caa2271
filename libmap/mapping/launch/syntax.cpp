// The grammar of each launcher's command line.
#include <array>

#include "libmap/base/error.hpp"
#include "libmap/mapping/launch/options.hpp"

namespace rankmap {
namespace {

struct Row {
  LauncherKind kind;
  LauncherSyntax syntax;
  std::span<const LauncherOption> (*options)();
};

// Tried on Open MPI 4.1.4 (no = at all, -- ends the options) and hydra 4.0.2 (= after both, no --).
constexpr std::array<Row, 9> rows = {{
    {LauncherKind::openmpi, {.ends_at_two_dashes = true}, openmpi_options},
    {LauncherKind::prrte, {.equals_after_two_dashes = true}, prrte_options},
    {LauncherKind::hydra,
     {.equals_after_one_dash = true, .equals_after_two_dashes = true},
     hydra_options},
    {LauncherKind::intel,
     {.equals_after_one_dash = true, .equals_after_two_dashes = true},
     intel_options},
    {LauncherKind::srun,
     {.letters = true, .ends_at_two_dashes = true, .plugins = true, .program_once = true},
     srun_options},
    {LauncherKind::flux,
     {.subcommand = "run", .letters = true, .plugins = true, .colon = Colon::argument},
     flux_options},
    {LauncherKind::jsrun,
     {.letters = true, .ends_at_two_dashes = true, .colon = Colon::unknown},
     jsrun_options},
    {LauncherKind::pals,
     {.equals_after_one_dash = true, .equals_after_two_dashes = true, .ends_at_two_dashes = true},
     pals_options},
    {LauncherKind::torchrun,
     {.letters = true, .underscores = true, .colon = Colon::argument},
     torchrun_options},
}};

}  // namespace

LauncherSyntax launcher_syntax(LauncherKind kind) {
  for (const Row& row : rows) {
    if (row.kind != kind) continue;
    LauncherSyntax syntax = row.syntax;
    syntax.options = row.options();
    return syntax;
  }
  throw Bug("a launcher without a grammar");
}

}  // namespace rankmap
