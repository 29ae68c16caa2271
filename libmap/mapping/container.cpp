#include "libmap/mapping/container.hpp"

#include <algorithm>
#include <array>

#include "libmap/base/text.hpp"

namespace rankmap {
namespace {

using Words = std::vector<std::string>;

struct Name {
  std::string_view name;
  ContainerKind kind;
};
constexpr std::array<Name, 4> names = {{
    {"apptainer", ContainerKind::apptainer},
    {"singularity", ContainerKind::apptainer},
    {"pyxis", ContainerKind::pyxis},
    {"docker", ContainerKind::docker},
}};

// The same names as the wrapper's own table of launchers; a test compares the two.
constexpr std::string_view rank_variable_names[] = {
    "OMPI_COMM_WORLD_RANK",
    "OMPI_COMM_WORLD_LOCAL_RANK",
    "OMPI_COMM_WORLD_SIZE",
    "OMPI_COMM_WORLD_LOCAL_SIZE",
    "OMPI_MCA_ess_base_jobid",
    "PMIX_NAMESPACE",
    "PMIX_RANK",
    "MVP_COMM_WORLD_RANK",
    "MVP_COMM_WORLD_LOCAL_RANK",
    "MVP_COMM_WORLD_SIZE",
    "MVP_COMM_WORLD_LOCAL_SIZE",
    "MV2_COMM_WORLD_RANK",
    "MV2_COMM_WORLD_LOCAL_RANK",
    "MV2_COMM_WORLD_SIZE",
    "MV2_COMM_WORLD_LOCAL_SIZE",
    "PALS_RANKID",
    "PALS_LOCAL_RANKID",
    "PALS_SIZE",
    "PALS_LOCAL_SIZE",
    "PALS_APID",
    "FLUX_TASK_RANK",
    "FLUX_TASK_LOCAL_ID",
    "FLUX_JOB_SIZE",
    "FLUX_JOB_ID",
    "JSM_NAMESPACE_RANK",
    "JSM_NAMESPACE_LOCAL_RANK",
    "JSM_NAMESPACE_SIZE",
    "JSM_NAMESPACE_LOCAL_SIZE",
    "LSB_JOBID",
    "PMI_RANK",
    "PMI_SIZE",
    "PMI_JOBID",
    "MPI_LOCALRANKID",
    "MPI_LOCALNRANKS",
    "I_MPI_ROOT",
    "SLURM_PROCID",
    "SLURM_LOCALID",
    "SLURM_NODEID",
    "SLURM_STEP_NUM_TASKS",
    "SLURM_STEP_TASKS_PER_NODE",
    "SLURM_NTASKS",
    "SLURM_JOB_ID",
    "SLURM_STEP_ID",
    "RANK",
    "LOCAL_RANK",
    "WORLD_SIZE",
    "LOCAL_WORLD_SIZE",
    "MASTER_PORT",
    "TORCHELASTIC_RUN_ID",
};

// What the wrapper and the shim look at beside the rank; without a value they are handed on.
constexpr std::string_view own_variables[] = {
    "RANKMAP_CPUS",      "RANKMAP_GPUS",         "RANKMAP_HOSTS",       "RANKMAP_MAP",
    "RANKMAP_NICS",      "RANKMAP_OPENMP",       "RANKMAP_REPORT",      "RANKMAP_STAGE",
    "RANKMAP_STRICT",    "RANKMAP_SUM",          "RANKMAP_VERBOSE",     "CUDA_VISIBLE_DEVICES",
    "CUDA_DEVICE_ORDER", "ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ZE_AFFINITY_MASK",
};

void check_path(const std::string& path) {
  if (path.front() != '/')
    throw UsageError("found " + quoted(path) +
                     ", expected an absolute path: it must mean the same "
                     "file inside the container");
  if (path.find_first_of(":,") != std::string::npos)
    throw UsageError("found " + quoted(path) +
                     ", expected a path without colons and commas: they divide mounts");
}

// FROM:TO:ro for what is read, FROM:TO for the report folder; each once.
Words mounts_of(const LaunchOptions& options, bool with_wrapper) {
  Words read_only = options.preload;
  if (with_wrapper && options.preload.empty()) read_only.push_back(options.wrapper);
  if (!options.map_path.empty()) read_only.push_back(options.map_path);
  Words mounts;
  for (const std::string& path : read_only) {
    if (path.empty()) throw UsageError("found no path, expected that of a file to take inside");
    check_path(path);
    const std::string mount = path + ":" + path + ":ro";
    if (std::find(mounts.begin(), mounts.end(), mount) == mounts.end()) mounts.push_back(mount);
  }
  if (!options.report_directory.empty()) {
    check_path(options.report_directory);
    mounts.push_back(options.report_directory + ":" + options.report_directory);
  }
  return mounts;
}

std::string inherited(const Environment& environment,
                      std::initializer_list<std::string> variables) {
  for (const std::string& name : variables) {
    const auto found = environment.find(name);
    if (found != environment.end() && !found->second.empty()) return found->second;
  }
  return "";
}

std::string joined(const std::string& before, const std::string& more, const char* separator) {
  return before.empty() ? more : more.empty() ? before : before + separator + more;
}

// Where one of the two names is set, the other would hide it: each carries on what was meant.
ContainerPlan plan_apptainer(const LaunchOptions& options) {
  ContainerPlan plan;
  const std::string mounts = join(mounts_of(options, true), ",");
  const Environment& environment = options.inherited;
  for (const auto& [own, other] :
       {std::pair("APPTAINER", "SINGULARITY"), std::pair("SINGULARITY", "APPTAINER")}) {
    const std::string name = own, instead = other;
    const std::string before = inherited(environment, {name + "_BIND", name + "_BINDPATH",
                                                       instead + "_BIND", instead + "_BINDPATH"});
    plan.variables.emplace_back(name + "_BIND", joined(before, mounts, ","));
  }
  if (options.preload.empty()) {
    plan.notes.push_back(
        "the wrapper stays outside the container, which inherits CPUs, memory policy and "
        "environment; "
        "with --cleanenv or --containall the GPU variables stay outside too");
    return plan;
  }
  const std::string before =
      inherited(environment, {"APPTAINERENV_LD_PRELOAD", "SINGULARITYENV_LD_PRELOAD"});
  for (const char* const prefix : {"APPTAINERENV_", "SINGULARITYENV_"})
    plan.variables.emplace_back(std::string(prefix) + "LD_PRELOAD",
                                joined(join(options.preload, ":"), before, ":"));
  plan.notes.push_back(
      "the shim is loaded inside the container; with --cleanenv or --containall it "
      "does not see the rank's variables");
  return plan;
}

ContainerPlan plan_pyxis(LauncherKind launched_by, const LaunchOptions& options) {
  if (launched_by != LauncherKind::srun)
    throw UsageError("pyxis is a part of srun, expected srun as the launcher");
  ContainerPlan plan;
  // pyxis adds up its options, but reads its variable only where no option is given.
  const std::string before = inherited(options.inherited, {"PYXIS_CONTAINER_MOUNTS"});
  plan.launcher_words = {"--container-mounts=" +
                         joined(before, join(mounts_of(options, true), ","), ",")};
  plan.notes.push_back("added " + plan.launcher_words.front() +
                       (options.preload.empty() ? ": the wrapper runs inside the container"
                                                : ": the shim is loaded inside the container"));
  return plan;
}

// What one rank has to start instead of the program.
ContainerPlan plan_docker(const LaunchOptions& options) {
  // The kernel's calls for memory policy are closed to containers without this capability.
  Words words = {"docker", "run", "--rm", "--cap-add", "SYS_NICE"};
  for (const std::string& mount : mounts_of(options, true))
    words.insert(words.end(), {"-v", mount});
  for (const std::string_view name : rank_variable_names)
    words.insert(words.end(), {"-e", std::string(name)});
  LaunchOptions inside = options;
  inside.inherited.erase("LD_PRELOAD");  // the host's libraries are not in the image
  const Variables own = options.preload.empty() ? Variables() : preload_variables(inside);
  for (const std::string_view name : own_variables) {
    const bool given = std::any_of(own.begin(), own.end(),
                                   [&](const auto& variable) { return variable.first == name; });
    if (!given) words.insert(words.end(), {"-e", std::string(name)});
  }
  for (const auto& [name, value] : own) words.insert(words.end(), {"-e", name + "=" + value});
  Words wrapper = wrapper_words(options);
  if (options.preload.empty()) words.insert(words.end(), {"--entrypoint", wrapper.front()});
  words.push_back("IMAGE");
  if (options.preload.empty()) words.insert(words.end(), wrapper.begin() + 1, wrapper.end());
  words.insert(words.end(), {"PROGRAM", "..."});
  ContainerPlan plan;
  plan.printed.push_back(shell_line(words));
  plan.notes.push_back(
      "docker's daemon hands down neither environment nor CPUs: let each rank start this line, "
      "with "
      "the GPUs and network your site needs (--gpus all, --network host, --ipc host)");
  if (options.preload.empty())
    plan.notes.push_back(
        "--entrypoint stands in for the image's own entry point, which is not run");
  return plan;
}

}  // namespace

ContainerKind container_of_name(std::string_view name) {
  std::vector<std::string> known;
  for (const Name& row : names) {
    if (row.name == name) return row.kind;
    known.emplace_back(row.name);
  }
  throw UsageError::unknown("container", name, known);
}

std::vector<std::string_view> rank_variables() {
  return {std::begin(rank_variable_names), std::end(rank_variable_names)};
}

ContainerPlan plan_container(ContainerKind kind, LauncherKind launched_by,
                             const LaunchOptions& options) {
  switch (kind) {
    case ContainerKind::apptainer:
      return plan_apptainer(options);
    case ContainerKind::pyxis:
      return plan_pyxis(launched_by, options);
    case ContainerKind::docker:
      return plan_docker(options);
  }
  throw Bug("a container without a plan");
}

}  // namespace rankmap
