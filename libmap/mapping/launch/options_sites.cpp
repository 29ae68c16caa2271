// flux run: from flux-core. jsrun: from what is published about the Job Step Manager. PALS: from
// HPE's mpiexec for it and what sites document. torchrun: from PyTorch.
#include "libmap/mapping/launch/options.hpp"

namespace rankmap {
namespace {

using enum Takes;
using namespace effect;

constexpr LauncherOption flux_table[] = {
    {"add-file", one},
    {"bank", one, 0, 'B'},
    {"begin-time", one},
    {"cores", one},
    {"cores-per-task", one, 0, 'c'},
    {"cwd", one},
    {"dependency", one},
    {"dry-run"},
    {"env", one, filters},
    {"env-file", one, filters},
    {"env-remove", one, filters},
    {"error", one},
    {"exclusive", none, 0, 'x'},
    {"flags", one},
    {"gpus-per-node", one},
    {"gpus-per-task", one, 0, 'g'},
    {"input", one},
    {"job-name", one},
    {"label-io", none, 0, 'l'},
    {"nodes", one, 0, 'N'},
    {"ntasks", one, counts, 'n'},
    {"output", one},
    {"queue", one, 0, 'q'},
    {"quiet"},
    {"requires", one},
    {"rlimit", one},
    {"setattr", one, 0, 'S'},
    {"setopt", one, sets, 'o'},
    {"signal", one},
    {"taskmap", one, maps},
    {"tasks-per-core", one},
    {"tasks-per-node", one},
    {"time-limit", one, 0, 't'},
    {"unbuffered", none, 0, 'u'},
    {"urgency", one},
    {"verbose", none, 0, 'v'},
    {"wait-event", one},
};

constexpr LauncherOption jsrun_table[] = {
    {"allocate_only", one, 0, 'A'},
    {"appfile", one, elsewhere, 'f'},
    {"bind", one, binds, 'b'},
    {"chdir", one, 0, 'h'},
    {"cpu_per_rs", one, 0, 'c'},
    {"env", one, 0, 'E'},
    {"env_eval", one, 0, 'F'},
    {"env_no_propagate", one, filters, 'D'},
    {"erf_input", one, binds | binds_gpus | maps},
    {"erf_output", one},
    {"erf_output_pidx", one},
    {"exclude_hosts", one, 0, 'x'},
    {"exit_on_error", one, 0, 'X'},
    {"gpu_per_rs", one, 0, 'g'},
    {"immediate", none, 0, 'i'},
    {"latency_priority", one, 0, 'l'},
    {"launch_distribution", one, maps, 'd'},
    {"launch_node_task", one, 0, 'H'},
    {"memory_per_rs", one, 0, 'm'},
    {"np", one, counts, 'p'},
    {"nrs", one, 0, 'n'},
    {"pre_post_exec", one, 0, 'P'},
    {"print_placement", one},
    {"progress", one, 0, 'Z'},
    {"rs_per_host", one, 0, 'r'},
    {"rs_per_socket", one, 0, 'K'},
    {"save_resources", one, 0, 'S'},
    {"smpiargs", one, 0, 'M'},
    {"stdin_rank", one, 0, 'I'},
    {"stdio_input", one, 0, 't'},
    {"stdio_mode", one, 0, 'e'},
    {"stdio_stderr", one, 0, 'k'},
    {"stdio_stdout", one, 0, 'o'},
    {"tasks_per_rs", one, 0, 'a'},
    {"use_reservation", one, 0, 'J'},
    {"use_resources", one, 0, 'U'},
    {"use_spindle", one, 0, 'L'},
};

constexpr LauncherOption pals_table[] = {
    {"abort-on-failure"},
    {"arch", one},
    {"configfile", one, elsewhere},
    {"cpu-bind", one, binds},
    {"d", one},
    {"depth", one},
    {"env", setting},
    {"envall"},
    {"envlist", one, filters},
    {"envnone", none, filters},
    {"exclude-tasks", one},
    {"exclusive"},
    {"f", one},
    {"file", one},
    {"genv", setting},
    {"genvall"},
    {"genvlist", one, filters},
    {"genvnone", none, filters},
    {"gpu-bind", one, binds_gpus},
    {"host", one},
    {"hostfile", one},
    {"hostlist", one},
    {"hosts", one},
    {"include-tasks", one},
    {"l"},
    {"label"},
    {"line-buffer"},
    {"mem-bind", one},
    {"n", one, counts},
    {"no-abort-on-failure"},
    {"no-label"},
    {"no-line-buffer"},
    {"no-sstartup"},
    {"no-transfer"},
    {"no-vni"},
    {"np", one, counts},
    {"path", one},
    {"pmi", one},
    {"ppn", one, maps},
    {"procinfo-file", one},
    {"rlimits", one},
    {"shared"},
    {"soft", one},
    {"sstartup"},
    {"transfer"},
    {"umask", one},
    {"wdir", one},
};

constexpr LauncherOption torchrun_table[] = {
    {"event-log-handler", one},
    {"local-addr", one},
    {"local-ranks-filter", one},
    {"log-dir", one},
    {"logs-specs", one},
    {"master-addr", one},
    {"master-port", one},
    {"max-restarts", one},
    {"module", none, module, 'm'},
    {"monitor-interval", one},
    {"nnodes", one},
    {"no-python", none, executable},
    {"node-rank", one},
    {"nproc-per-node", one, counts},
    {"numa-binding", one, binds},
    {"rdzv-backend", one},
    {"rdzv-conf", one},
    {"rdzv-endpoint", one},
    {"rdzv-id", one},
    {"redirects", one, 0, 'r'},
    {"role", one},
    {"run-path", none, inside},
    {"signals-to-handle", one},
    {"standalone"},
    {"start-method", one},
    {"tee", one, 0, 't'},
};

}  // namespace

std::span<const LauncherOption> flux_options() {
  return flux_table;
}

std::span<const LauncherOption> jsrun_options() {
  return jsrun_table;
}

std::span<const LauncherOption> pals_options() {
  return pals_table;
}

std::span<const LauncherOption> torchrun_options() {
  return torchrun_table;
}

}  // namespace rankmap
