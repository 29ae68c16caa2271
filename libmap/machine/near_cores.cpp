#include "libmap/machine/near_cores.hpp"

#include <algorithm>
#include <map>

namespace rankmap {
namespace {

using CoreList = std::vector<const Core*>;  // by their first OS number

CoreList cores_near(const NodeModel& model, const Gpu& gpu) {
  CoreList near;
  for (const Core& core : model.cores) {
    const bool by_numa = gpu.numa != none && core.numa == gpu.numa;
    const bool by_cpus = gpu.numa == none && gpu.cpus && gpu.cpus->contains_all(core.cpus);
    if (!core.cpus.empty() && (by_numa || by_cpus)) near.push_back(&core);
  }
  std::sort(near.begin(), near.end(), [](const Core* a, const Core* b) {
    return a->cpus.numbers().front() < b->cpus.numbers().front();
  });
  return near;
}

SlotCores joined(CoreList::const_iterator begin, CoreList::const_iterator end) {
  SlotCores result;
  for (auto core = begin; core != end; ++core) {
    result.cpus = result.cpus.united((*core)->cpus);
    if ((*core)->logical >= 0) result.cores.add((*core)->logical);
  }
  return result;
}

// The part-th of `parts` even shares; the first shares are one larger where it does not divide.
SlotCores share(const CoreList& cores, std::size_t part, std::size_t parts) {
  const std::size_t least = cores.size() / parts;
  const std::size_t larger = cores.size() % parts;
  const std::size_t begin = part * least + std::min(part, larger);
  const std::size_t size = least + (part < larger ? 1 : 0);
  const auto first = cores.begin() + static_cast<std::ptrdiff_t>(begin);
  return joined(first, first + static_cast<std::ptrdiff_t>(size));
}

}  // namespace

std::vector<SlotCores> near_cores(const NodeModel& model, NearCores policy) {
  std::vector<SlotCores> result;
  if (model.gpus.empty()) {
    for (const Core& core : model.cores) {
      CpuSet logical;
      if (core.logical >= 0) logical.add(core.logical);
      result.push_back({core.cpus, logical});
    }
    return result;
  }
  std::vector<CoreList> lists;
  std::map<CoreList, std::size_t> users;
  for (const Gpu& gpu : model.gpus) ++users[lists.emplace_back(cores_near(model, gpu))];
  std::map<CoreList, std::size_t> next;
  for (const CoreList& cores : lists) {
    const std::size_t parts = users[cores];
    const std::size_t part = next[cores]++;
    const bool divide = policy == NearCores::divided && cores.size() >= parts;
    result.push_back(divide ? share(cores, part, parts) : joined(cores.begin(), cores.end()));
  }
  return result;
}

}  // namespace rankmap
