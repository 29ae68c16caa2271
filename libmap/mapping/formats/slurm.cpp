// srun: nodes by -N and a distribution where that gives the map, else by SLURM_HOSTFILE.
#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/mapping/formats/formats.hpp"
#include "libmap/mapping/formats/slurm_step.hpp"

namespace rankmap {
namespace {

bool has_names(const MapFile& map) {
  return !map.hosts_unnamed && map.rows.front().host != "*";
}

Export slurm_export(const MapFile& map, const ExportOptions& options, const SlurmStep& step) {
  check_host_names(map);
  Export result;
  result.text = host_per_rank(map);
  result.file_name = options.file_name;
  if (step.arbitrary) {
    result.command = "SLURM_HOSTFILE=" + shell_word(options.file_name) + " ";
    result.notes.emplace_back(arbitrary_note);
  } else {
    result.notes.push_back("srun places these ranks by itself and does not read " +
                           options.file_name + "; nodes are counted in the order of their names");
  }
  return result;
}

[[noreturn]] void refuse_binding(const std::string& why) {
  throw Infeasible("srun's lists of CPUs and GPUs are the same on every node, by local rank: " +
                   why + "; use --for slurm, where the wrapper binds each rank");
}

void check_agreement(const MapFile& map, const Layout& layout) {
  bool some_cpus = false, some_gpus = false;
  for (const MapRow& row : map.rows) {
    some_cpus |= !row.cpus.empty();
    some_gpus |= row.gpu != none;
  }
  if (some_cpus && !all_have_cpus(map)) refuse_binding("only some ranks have known CPUs");
  if (some_gpus && !all_have_gpus(map)) refuse_binding("only some ranks have a GPU");
  if (!agree_on_cpus(layout)) refuse_binding("the nodes differ in the CPUs of their ranks");
  if (!agree_on_gpus(layout)) refuse_binding("the nodes differ in the GPUs of their ranks");
}

std::string cpu_list(const HostRanks& host) {
  bool single = true;
  for (const MapRow* const row : host.rows) single &= row->cpus.size() == 1;
  std::vector<std::string> items;
  for (const MapRow* const row : host.rows)
    items.push_back(single ? std::to_string(row->cpus.numbers().front())
                           : "0x" + hex_mask(row->cpus));
  return (single ? "map_cpu:" : "mask_cpu:") + join(items, ",");
}

std::string gpu_list(const HostRanks& host) {
  std::vector<std::string> items;
  for (const MapRow* const row : host.rows) items.push_back(std::to_string(row->gpu));
  return "map_gpu:" + join(items, ",");
}

}  // namespace

SlurmStep slurm_step(const MapFile& map, const Layout& layout) {
  const std::string ranks = " -n " + std::to_string(map.rows.size());
  const bool cyclic = layout.equal && layout.cyclic && !layout.block;
  const bool block = layout.equal && layout.block;
  if (!block && !cyclic) return {true, "-m arbitrary" + ranks};
  return {false,
          "-N " + std::to_string(layout.hosts.size()) + ranks + " --ntasks-per-node=" +
              std::to_string(layout.ranks_per_host()) + (cyclic ? " -m cyclic" : " -m block") +
              (has_names(map) ? " -w " + shell_word(compressed_hosts(names_of(layout))) : "")};
}

std::string wrapped_srun(const SlurmStep& step, const std::string& program) {
  return "srun " + step.options + " --gpu-bind=none --cpu-bind=none " + program;
}

Export write_slurm(const MapFile& map, const ExportOptions& options) {
  const SlurmStep step = slurm_step(map, layout_by_name(map));
  Export result = slurm_export(map, options, step);
  result.command += wrapped_srun(step, wrapped_program(options.map_path, options));
  result.notes.push_back(carries_note("srun carries the host of every rank",
                                      "CPUs, GPU, NIC and memory are", options.map_path));
  result.notes.emplace_back(all_gpus_note);
  return result;
}

Export write_slurm_bind(const MapFile& map, const ExportOptions& options) {
  const Layout layout = layout_by_name(map);
  check_agreement(map, layout);
  const HostRanks& host = layout.hosts.front();
  const SlurmStep step = slurm_step(map, layout);
  Export result = slurm_export(map, options, step);
  const bool cpus = all_have_cpus(map), gpus = all_have_gpus(map);
  result.command += "srun " + step.options + " --cpu-bind=" + (cpus ? cpu_list(host) : "none") +
                    " --gpu-bind=" + (gpus ? gpu_list(host) : "none") + " " + options.program;
  result.notes.emplace_back(
      "srun carries hosts, CPUs (OS numbers) and GPUs; NIC and memory are carried by nothing here");
  if (cpus)
    result.notes.emplace_back("Slurm takes lists of CPUs only where the step has whole nodes");
  if (gpus)
    result.notes.emplace_back(
        "map_gpu shows each rank one GPU, by a cgroup where devices are constrained, and then peer "
        "access between GPUs breaks; --for slurm leaves all of them visible");
  return result;
}

}  // namespace rankmap
