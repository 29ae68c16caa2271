#include "libmap/machine/json/core_numbering.hpp"

#include <algorithm>
#include <map>

namespace rankmap {

std::optional<ThreadNumbering> thread_numbering_of(std::string_view name) {
  if (name == "threads-last") return ThreadNumbering::threads_last;
  if (name == "threads-adjacent") return ThreadNumbering::threads_adjacent;
  return std::nullopt;
}

std::vector<Core> number_cores(const std::vector<NumaNode>& numa_nodes, int threads_per_core,
                               ThreadNumbering numbering) {
  std::map<int, const NumaNode*> node_of_cpu;
  for (const NumaNode& node : numa_nodes)
    for (const int cpu : node.cpus.numbers())
      if (!node_of_cpu.emplace(cpu, &node).second) return {};
  std::vector<int> cpus;
  for (const auto& [cpu, node] : node_of_cpu) cpus.push_back(cpu);

  const auto threads = static_cast<std::size_t>(threads_per_core);
  if (threads == 0 || cpus.size() % threads != 0) return {};
  const std::size_t count = cpus.size() / threads;
  const bool last = numbering == ThreadNumbering::threads_last;
  std::vector<Core> cores(count);
  for (std::size_t i = 0; i < count; ++i) {
    cores[i].numa = node_of_cpu[cpus[last ? i : i * threads]]->id;
    for (std::size_t t = 0; t < threads; ++t) {
      const int cpu = cpus[last ? i + t * count : i * threads + t];
      if (node_of_cpu[cpu]->id != cores[i].numa) return {};
      cores[i].cpus.add(cpu);
    }
  }

  const auto place = [&](const Core& core) {
    const int first = core.cpus.numbers().front();
    return std::pair(node_of_cpu[first]->cpus.numbers().front(), first);
  };
  std::sort(cores.begin(), cores.end(),
            [&](const Core& a, const Core& b) { return place(a) < place(b); });
  for (std::size_t i = 0; i < count; ++i) cores[i].logical = static_cast<int>(i);
  return cores;
}

}  // namespace rankmap
