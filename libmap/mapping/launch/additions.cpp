#include "libmap/mapping/launch/additions.hpp"

#include "libmap/base/text.hpp"
#include "libmap/mapping/launch/variables.hpp"

namespace rankmap {
namespace {

using Words = std::vector<std::string>;

// How a launcher is told to leave CPUs and GPUs alone. srun: in every component, and last, because
// its --cpu-bind=verbose takes back a none that stands before it.
struct Unbinding {
  LauncherKind kind;
  std::vector<std::string_view> cpus, gpus;
  bool last_in_each_context;
};

const std::vector<Unbinding>& unbindings() {
  static const std::vector<Unbinding> rows = {
      {LauncherKind::openmpi, {"--bind-to", "none"}, {}, false},
      {LauncherKind::prrte, {"--bind-to", "none"}, {}, false},
      {LauncherKind::hydra, {"-bind-to", "none"}, {}, false},
      {LauncherKind::intel, {"-genv", "I_MPI_PIN", "0"}, {}, false},
      {LauncherKind::srun, {"--cpu-bind=none"}, {"--gpu-bind=none"}, true},
      {LauncherKind::flux, {"-o", "cpu-affinity=off"}, {"-o", "gpu-affinity=off"}, false},
      {LauncherKind::jsrun, {"-b", "none"}, {}, false},
      {LauncherKind::pals, {"--cpu-bind", "none"}, {"--gpu-bind", "none"}, false},
  };
  return rows;
}

// Variables of the environment by which a launcher is asked for a binding.
struct BindingVariable {
  LauncherKind kind;
  std::string_view name;
};
constexpr BindingVariable binding_variables[] = {
    {LauncherKind::openmpi, "OMPI_MCA_hwloc_base_binding_policy"},
    {LauncherKind::openmpi, "OMPI_MCA_rmaps_base_mapping_policy"},
    {LauncherKind::prrte, "PRTE_MCA_hwloc_default_binding_policy"},
    {LauncherKind::prrte, "PRTE_MCA_rmaps_default_mapping_policy"},
    {LauncherKind::hydra, "HYDRA_BINDING"},
    {LauncherKind::hydra, "HYDRA_MAPPING"},
    {LauncherKind::intel, "I_MPI_PIN_DOMAIN"},
    {LauncherKind::intel, "I_MPI_PIN_PROCESSOR_LIST"},
    {LauncherKind::srun, "SLURM_CPU_BIND"},
    {LauncherKind::srun, "SLURM_GPU_BIND"},
    {LauncherKind::srun, "SLURM_HINT"},
    {LauncherKind::pals, "PALS_CPU_BIND"},
    {LauncherKind::pals, "PALS_GPU_BIND"},
};

bool any_option(const CommandLine& line, unsigned with, unsigned without = 0) {
  for (const CommandContext& context : line.contexts)
    for (const GivenOption& option : context.options)
      if ((option.effects & with) && !(option.effects & without)) return true;
  return false;
}

void note_environment(LauncherKind kind, const Words& added, const Environment& inherited,
                      Words& notes) {
  for (const BindingVariable& row : binding_variables) {
    const auto found = inherited.find(std::string(row.name));
    if (row.kind != kind || found == inherited.end() || found->second.empty()) continue;
    const std::string value = to_lower(found->second);
    if (value.size() >= 4 && value.compare(value.size() - 4, 4, "none") == 0) continue;
    notes.push_back(
        found->first + "=" + found->second + " in the environment asks for a binding; " +
        (added.empty() ? "the plan applies inside that" : shell_line(added) + " stands over it"));
  }
}

void note_isolation(const CommandLine& line, const Environment& inherited, Words& notes) {
  const auto variable = inherited.find("SLURM_GPUS_PER_TASK");
  for (const CommandContext& context : line.contexts)
    for (const GivenOption& option : context.options)
      if (option.effects & effect::isolates)
        notes.push_back(
            "--" + std::string(option.name) +
            " hides the other ranks' GPUs by a cgroup, and peer access between GPUs may "
            "break; --gpus-per-node leaves all of them to the step");
  if (variable != inherited.end())
    notes.push_back("SLURM_GPUS_PER_TASK=" + variable->second +
                    " in the environment hides the other ranks' GPUs by a cgroup, and peer access "
                    "between GPUs may break");
}

void append(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

Words strings(const std::vector<std::string_view>& views) {
  return {views.begin(), views.end()};
}

// The words against a binding nobody asked for.
Words unbinding_words(const Unbinding& row, const CommandLine& line, std::string_view who,
                      Words& notes) {
  Words words;
  const auto add = [&](const std::vector<std::string_view>& what, std::string_view binds) {
    if (what.empty()) return;
    const Words added = strings(what);
    append(words, added);
    notes.push_back("added " + join(added, " ") + ": " + std::string(who) + " " +
                    std::string(binds));
  };
  if (!any_option(line, effect::binds)) add(row.cpus, "binds each rank");
  if (!any_option(line, effect::binds_gpus)) add(row.gpus, "gives each rank its GPUs");
  if (any_option(line, effect::binds | effect::binds_gpus, effect::unbound))
    notes.push_back("the launcher binds as the command line asks; the plan applies inside that");
  return words;
}

void add_unbinding(const CommandLine& line, LauncherKind kind, const LaunchOptions& options,
                   std::string_view who, Additions& additions) {
  for (const Unbinding& row : unbindings()) {
    if (row.kind != kind) continue;
    const Words words = unbinding_words(row, line, who, additions.notes);
    if (!row.last_in_each_context) append(additions.first, words);
    for (Words& last : additions.last)
      if (row.last_in_each_context) append(last, words);
    note_environment(kind, words, options.inherited, additions.notes);
  }
  if (kind == LauncherKind::srun) note_isolation(line, options.inherited, additions.notes);
}

}  // namespace

Additions additions_for(const CommandLine& line, LauncherKind kind, const Variables& variables,
                        const LaunchOptions& options, std::string_view who) {
  Additions additions;
  additions.last.resize(line.contexts.size());
  add_variables(line, kind, variables, options.inherited, additions);
  const bool rankfile = kind == LauncherKind::openmpi && !options.rankfile.empty() &&
                        !any_option(line, effect::binds | effect::maps);
  if (rankfile) {
    append(additions.first, {"-rf", options.rankfile});
    additions.notes.push_back("-rf " + options.rankfile + ": every rank on its host");
  } else {
    add_unbinding(line, kind, options, who, additions);
  }
  for (Words& words : additions.last) append(words, options.launcher_words);
  return additions;
}

bool user_binds_cpus(const std::vector<std::string>& argv, LauncherKind kind) {
  try {
    return any_option(read_command_line(argv, kind), effect::binds, effect::unbound);
  } catch (const UncertainCommand&) {
    return false;
  }
}

}  // namespace rankmap
