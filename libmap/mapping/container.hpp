// A program in a container: how wrapper, shim, map and reports get inside.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "libmap/mapping/launch.hpp"

namespace rankmap {

enum class ContainerKind { apptainer, pyxis, docker };

// apptainer (also singularity), pyxis, docker. UsageError: another name.
ContainerKind container_of_name(std::string_view name);

// Environment variables that tell a rank who it is, of every launcher; docker must be told each.
std::vector<std::string_view> rank_variables();

struct ContainerPlan {
  Variables variables;                      // for LaunchOptions::variables
  std::vector<std::string> launcher_words;  // for LaunchOptions::launcher_words
  std::vector<std::string> printed;         // what the user has to type himself, a line each
  std::vector<std::string> notes;
};

// The files are those that options name: wrapper, map, report folder, preloaded libraries; report
// folder writable, all else read-only, each under its own path inside.
//   apptainer  the wrapper stays before `apptainer exec`: affinity, memory policy and environment
//              are inherited inside; a preloaded library is loaded inside. Binds by variables.
//   pyxis      srun's own option for mounts; the wrapper runs inside.
//   docker     only printed: its daemon hands down neither affinity nor environment.
// options.inherited is what stands in the environment already; it is kept.
// UsageError: a path that is not absolute, or that holds a separator of the mounts' syntax; pyxis
// without srun.
ContainerPlan plan_container(ContainerKind kind, LauncherKind launched_by,
                             const LaunchOptions& options);

}  // namespace rankmap
