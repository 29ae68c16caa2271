// Asking the nodes of a job before it runs: the same command line with another program; and whether
// there are other nodes at all.
#include <algorithm>

#include "libmap/base/text.hpp"
#include "libmap/mapping/launch/assemble.hpp"

namespace rankmap {
namespace {

using Words = std::vector<std::string>;

// The command line that puts probe_words where the programs are, without the user's bindings.
Words probe_line(const Words& argv, const CommandLine& line, const Words& probe_words) {
  Words words(argv.begin(), argv.begin() + static_cast<std::ptrdiff_t>(line.head));
  for (std::size_t i = 0; i < line.contexts.size(); ++i) {
    const CommandContext& context = line.contexts[i];
    if (i > 0) words.push_back(":");
    for (const GivenOption& option : context.options) {
      const bool only_binds = (option.effects & (effect::binds | effect::binds_gpus)) &&
                              !(option.effects & (effect::maps | effect::places));
      if (only_binds || (option.effects & (effect::module | effect::executable))) continue;
      for (std::size_t word = option.first; word <= option.last; ++word)
        words.push_back(argv[word]);
    }
    if (context.program) words.insert(words.end(), probe_words.begin(), probe_words.end());
  }
  return words;
}

// Variables that mean: there is an allocation, or hosts may be named somewhere. "*": any text.
constexpr std::string_view placing_variables[] = {
    "SLURM_JOB_ID",
    "SLURM_JOBID",
    "PBS_NODEFILE",
    "PBS_JOBID",
    "LSB_JOBID",
    "LSB_HOSTS",
    "LSB_MCPU_HOSTS",
    "PE_HOSTFILE",
    "LOADL_HOSTFILE",
    "COBALT_NODEFILE",
    "FLUX_URI",
    "HYDRA_*",
    "MPIEXEC_*",
    "I_MPI_HYDRA_*",
    "I_MPI_PERHOST",
    "OMPI_MCA_plm*",
    "OMPI_MCA_ras*",
    "OMPI_MCA_rmaps*",
    "OMPI_MCA_orte_*host*",
    "OMPI_MCA_orte_hetero*",
};
constexpr std::string_view harmless_variables[] = {"OMPI_MCA_rmaps_base_oversubscribe",
                                                   "HYDRA_DEBUG", "HYDRA_TOPO_DEBUG"};

bool matches(std::string_view name, std::string_view pattern) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return name == pattern;
  if (name.substr(0, star) != pattern.substr(0, star)) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t i = star; i <= name.size(); ++i)
    if (matches(name.substr(i), rest) || rest.empty()) return true;
  return false;
}

bool may_place(std::string_view name) {
  if (std::find(std::begin(harmless_variables), std::end(harmless_variables), name) !=
      std::end(harmless_variables))
    return false;
  return std::any_of(std::begin(placing_variables), std::end(placing_variables),
                     [&](std::string_view pattern) { return matches(name, pattern); });
}

std::optional<int> count_of(const CommandContext& context) {
  std::optional<int> count;
  for (const GivenOption& option : context.options) {
    if (option.effects & (effect::places | effect::maps)) return std::nullopt;
    if (!(option.effects & effect::counts)) continue;
    const std::optional<std::int64_t> number = parse_integer(option.value);
    constexpr std::int64_t most = 1 << 20;  // far more than one host runs
    if (count || !number || *number < 1 || *number > most) return std::nullopt;
    count = static_cast<int>(*number);
  }
  return count;
}

}  // namespace

Launch probe_launch(const Words& argv, LauncherKind kind, const Words& probe_words,
                    const LaunchOptions& options) {
  try {
    const Words words = probe_line(argv, read_command_line(argv, kind), probe_words);
    const CommandLine line = read_command_line(words, kind);
    LaunchOptions plain = options;
    plain.rankfile.clear();
    const Additions additions = additions_for(line, kind, options.variables, plain, "the probe");
    Launch launch = assemble(words, line, additions, {});
    launch.notes.clear();
    if (kind != LauncherKind::torchrun) return launch;
    const auto program = launch.argv.end() - static_cast<std::ptrdiff_t>(probe_words.size());
    launch.argv.insert(program, "--no-python");
    return launch;
  } catch (const UncertainCommand& why) {
    throw UsageError(why.what() + std::string("; so its nodes cannot be asked"));
  }
}

std::optional<int> ranks_on_this_host_only(const Words& argv, LauncherKind kind,
                                           const Environment& environment) {
  if (kind != LauncherKind::openmpi && kind != LauncherKind::hydra && kind != LauncherKind::intel)
    return std::nullopt;
  for (const auto& [name, value] : environment)
    if (may_place(name)) return std::nullopt;
  try {
    const CommandLine line = read_command_line(argv, kind);
    if (line.contexts.size() != 1) return std::nullopt;
    return count_of(line.contexts.front());
  } catch (const UncertainCommand&) {
    return std::nullopt;
  }
}

std::optional<int> ranks_asked(const Words& argv, LauncherKind kind) {
  constexpr std::int64_t most = 1 << 24;
  std::int64_t all = 0;
  try {
    const CommandLine line = read_command_line(argv, kind);
    for (const CommandContext& context : line.contexts) {
      std::optional<std::int64_t> asked;
      for (const GivenOption& option : context.options) {
        if (!(option.effects & effect::counts)) continue;
        if (asked) return std::nullopt;  // twice: which one counts, launchers see differently
        asked = parse_integer(option.value);
        if (!asked) return std::nullopt;
      }
      if (!asked || *asked < 1 || *asked > most) return std::nullopt;
      all += *asked;
    }
  } catch (const UncertainCommand&) {
    return std::nullopt;
  }
  return all >= 1 && all <= most ? std::optional<int>(static_cast<int>(all)) : std::nullopt;
}

}  // namespace rankmap
