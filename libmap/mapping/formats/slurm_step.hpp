// The options of one srun: shared by slurm, slurm-bind, sbatch and cray.
#pragma once

#include <string>

#include "libmap/mapping/formats/layout.hpp"

namespace rankmap {

struct SlurmStep {
  bool arbitrary = false;  // takes its nodes from SLURM_HOSTFILE
  std::string options;     // "-N 2 -n 8 --ntasks-per-node=4 -m block"
};

// `layout` has the hosts in Slurm's own order. Named hosts are asked for with -w.
SlurmStep slurm_step(const MapFile& map, const Layout& layout);

// "srun ... --gpu-bind=none --cpu-bind=none PROGRAM" for the wrapper, which binds.
std::string wrapped_srun(const SlurmStep& step, const std::string& program);

inline constexpr const char* arbitrary_note =
    "-m arbitrary with --mpi=pmi2 makes every rank a node of its own, and MPICH loses its shared "
    "memory; use --mpi=pmix, or a map whose ranks are in blocks or cyclic over the nodes";
inline constexpr const char* all_gpus_note =
    "the step needs all GPUs of its nodes: no --gpus-per-task, which hides them by a cgroup and "
    "breaks peer access";

}  // namespace rankmap
