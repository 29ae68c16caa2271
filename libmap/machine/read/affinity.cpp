#include "libmap/machine/read/affinity.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "libmap/base/text.hpp"

namespace rankmap {
namespace {

constexpr std::size_t cut_list_length = 6;  // nvidia-smi prints at most so many numbers

bool says_nothing(std::string_view text) {
  return text.empty() || text == "N/A" || text == "-1";
}

std::string list_of_gpus(const std::vector<std::size_t>& gpus) {
  CpuSet numbers;
  for (const std::size_t gpu : gpus) numbers.add(static_cast<int>(gpu));
  return (gpus.size() == 1 ? "GPU " : "GPUs ") + numbers.to_string();
}

// The GPUs that a warning speaks of, by the warning.
class Doubts {
 public:
  void add(const std::string& what, std::size_t gpu) { gpus_[what].push_back(gpu); }
  void tell(NodeModel& model) const {
    for (const auto& [what, gpus] : gpus_) model.warn(list_of_gpus(gpus) + ": " + what);
  }

 private:
  std::map<std::string, std::vector<std::size_t>> gpus_;
};

std::set<int> gpu_memory_nodes(const NodeModel& model) {
  std::set<int> nodes;
  for (const Gpu& gpu : model.gpus) {
    const std::optional<CpuSet> ids = CpuSet::parse_list(gpu.gpu_numa_id);
    if (ids) nodes.insert(ids->numbers().begin(), ids->numbers().end());
  }
  return nodes;
}

struct LocalNode {
  int id = none;
  bool certain = false;  // the only CPU node that is named
};

// "0", or the first of a list such as "0,8,252-255"; a range of CPU nodes names no single one.
LocalNode local_node(const Gpu& gpu, const std::set<int>& gpu_memory, std::size_t index,
                     Doubts& doubts) {
  if (says_nothing(gpu.numa_affinity)) return {};
  const std::string list = "NUMA affinity " + quoted(gpu.numa_affinity);
  const std::optional<CpuSet> ids = CpuSet::parse_list(gpu.numa_affinity);
  if (!ids) {
    doubts.add(list + " is not a list of numbers, the NUMA node is unknown", index);
    return {};
  }
  std::vector<int> with_cpus;
  for (const int id : ids->numbers())
    if (!gpu_memory.contains(id)) with_cpus.push_back(id);
  if (with_cpus.empty()) return {};
  if (with_cpus.size() == 1) return {with_cpus[0], true};
  const std::string first = std::to_string(with_cpus[0]);
  if (!gpu.numa_affinity.starts_with(first + ",")) {
    doubts.add(list + " names several nodes, the NUMA node is unknown", index);
    return {};
  }
  doubts.add(list + " names several nodes, the first CPU node " + first + " is taken", index);
  return {with_cpus[0], false};
}

bool looks_cut(std::string_view list) {
  const std::vector<std::string_view> numbers = split(list, ',');
  if (numbers.size() != cut_list_length) return false;
  std::vector<std::int64_t> values;
  for (const std::string_view number : numbers) {
    const std::optional<std::int64_t> value = parse_integer(trim(number));
    if (!value) return false;
    values.push_back(*value);
  }
  const std::int64_t step = values[1] - values[0];
  for (std::size_t i = 1; i < values.size(); ++i)
    if (values[i] - values[i - 1] != step) return false;
  return step > 1;
}

std::optional<CpuSet> own_list(const Gpu& gpu, std::size_t index, Doubts& doubts) {
  const std::string list = "CPU affinity " + quoted(gpu.cpu_affinity);
  if (gpu.cpu_affinity == "N/A") return std::nullopt;
  if (looks_cut(gpu.cpu_affinity)) {
    doubts.add(list + " looks cut after six numbers, the near CPUs are unknown", index);
    return std::nullopt;
  }
  std::optional<CpuSet> cpus = CpuSet::parse_list(gpu.cpu_affinity);
  if (!cpus) doubts.add(list + " is not a list of numbers, the near CPUs are unknown", index);
  if (cpus && cpus->empty()) return std::nullopt;
  return cpus;
}

bool all_lists_equal(const NodeModel& model) {
  return std::all_of(model.gpus.begin(), model.gpus.end(),
                     [&](const Gpu& gpu) { return gpu.cpus && gpu.cpus == model.gpus[0].cpus; });
}

bool one_node_explains(const std::vector<LocalNode>& nodes) {
  return std::all_of(nodes.begin(), nodes.end(),
                     [&](const LocalNode& node) { return node.certain && node.id == nodes[0].id; });
}

void forget_job_mask(NodeModel& model, const std::vector<LocalNode>& nodes) {
  if (!all_lists_equal(model) || one_node_explains(nodes)) return;
  model.warn("CPU affinity " + quoted(model.gpus[0].cpu_affinity) +
             " stands for every GPU and no NUMA node explains it: it may be the job's own mask, "
             "the near CPUs are unknown");
  for (Gpu& gpu : model.gpus) gpu.cpus.reset();
}

void forget_contradictions(NodeModel& model, Doubts& doubts) {
  constexpr int several = -2;
  std::vector<int> node_of_cpu(CpuSet::max_number + 1, none);
  const auto node_at = [&](int cpu) -> int& { return node_of_cpu[static_cast<std::size_t>(cpu)]; };
  for (const Gpu& gpu : model.gpus) {
    if (!gpu.cpus || gpu.numa == none) continue;
    for (const int cpu : gpu.cpus->numbers())
      node_at(cpu) = node_at(cpu) == none || node_at(cpu) == gpu.numa ? gpu.numa : several;
  }
  for (std::size_t i = 0; i < model.gpus.size(); ++i) {
    Gpu& gpu = model.gpus[i];
    if (!gpu.cpus) continue;
    const std::vector<int>& cpus = gpu.cpus->numbers();
    if (std::none_of(cpus.begin(), cpus.end(), [&](int cpu) { return node_at(cpu) == several; }))
      continue;
    doubts.add("the same CPUs stand for several NUMA nodes, the near CPUs are unknown", i);
    gpu.cpus.reset();
  }
}

void add_numa_nodes(NodeModel& model, const std::set<int>& gpu_memory) {
  std::map<int, NumaNode> nodes;
  for (const Gpu& gpu : model.gpus) {
    if (gpu.numa == none || !gpu.cpus) continue;
    NumaNode& node = nodes[gpu.numa];
    node.id = gpu.numa;
    node.cpus = node.cpus.united(*gpu.cpus);
  }
  for (const int id : gpu_memory)
    if (!nodes.contains(id)) nodes[id] = {id, {}, 0, "GPUMemory"};
  for (auto& [id, node] : nodes) model.numa_nodes.push_back(std::move(node));
}

// Different lists are places of their own; lists that overlap in part tell no cores.
struct Place {
  CpuSet cpus;
  int numa;
};

std::vector<Place> places_of(const NodeModel& model) {
  std::vector<Place> places;
  for (const NumaNode& node : model.numa_nodes)
    if (!node.cpus.empty()) places.push_back({node.cpus, node.id});
  for (const Gpu& gpu : model.gpus) {
    if (!gpu.cpus || gpu.numa != none) continue;
    const bool known = std::any_of(places.begin(), places.end(),
                                   [&](const Place& place) { return place.cpus == *gpu.cpus; });
    if (!known) places.push_back({*gpu.cpus, none});
  }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return a.cpus.numbers().front() < b.cpus.numbers().front();
  });
  return places;
}

bool overlap(const std::vector<Place>& places) {
  std::size_t total = 0;
  CpuSet all;
  for (const Place& place : places) {
    total += place.cpus.size();
    all = all.united(place.cpus);
  }
  return all.size() != total;
}

// The distance of two ranges of one length ("0-19,40-59": 40); 0: not such a list.
int sibling_distance(const CpuSet& cpus) {
  const std::vector<int>& numbers = cpus.numbers();
  if (numbers.size() < 4 || numbers.size() % 2 != 0) return 0;
  const std::size_t half = numbers.size() / 2;
  const auto length = static_cast<int>(half);
  const bool first = numbers[half - 1] - numbers[0] == length - 1;
  const bool second = numbers.back() - numbers[half] == length - 1;
  const int distance = numbers[half] - numbers[0];
  return first && second && distance > length - 1 && numbers[half] != numbers[half - 1] + 1
             ? distance
             : 0;
}

// 0: no place looks so; nullopt: some do, or at other distances.
std::optional<int> common_distance(const std::vector<Place>& places) {
  const int distance = sibling_distance(places[0].cpus);
  for (const Place& place : places)
    if (sibling_distance(place.cpus) != distance) return std::nullopt;
  return distance;
}

// With c = distance cores, first threads 0..c-1 and second threads behind them, or, without second
// threads, when nothing is missing from 0 on: logical numbers are known.
bool numbering_known(const std::vector<Place>& places, int distance) {
  CpuSet all;
  int last_first_thread = 0;
  for (const Place& place : places) {
    all = all.united(place.cpus);
    const std::vector<int>& numbers = place.cpus.numbers();
    last_first_thread =
        std::max(last_first_thread, numbers[numbers.size() / 2 - 1 + numbers.size() % 2]);
  }
  if (distance != 0) return last_first_thread < distance;
  return all.numbers().back() + 1 == static_cast<int>(all.size());
}

void add_cores(NodeModel& model, const std::vector<Place>& places, int distance) {
  const bool known = numbering_known(places, distance);
  int next = 0;
  for (const Place& place : places) {
    for (const int cpu : place.cpus.numbers()) {
      if (distance != 0 && cpu - place.cpus.numbers().front() >= distance) break;
      Core core;
      core.logical = !known ? none : distance != 0 ? cpu : next++;
      core.cpus.add(cpu);
      if (distance != 0) core.cpus.add(cpu + distance);
      core.numa = place.numa;
      model.cores.push_back(std::move(core));
    }
  }
  model.threads_per_core = distance != 0 ? 2 : 1;
  if (!known) model.warn("not all CPUs of the machine are seen, logical core numbers are unknown");
}

void derive_cores(NodeModel& model) {
  const std::vector<Place> places = places_of(model);
  if (places.empty()) return;
  const std::optional<int> distance = common_distance(places);
  if (overlap(places) || !distance) {
    model.warn(
        "the CPU lists do not tell which CPUs are hardware threads of one core, "
        "the cores are unknown");
    return;
  }
  add_cores(model, places, *distance);
  model.warn(*distance != 0 ? "the CPU lists have two ranges: the second is taken as the second "
                              "hardware threads of the first"
                            : "hardware threads are not in the text: each CPU is taken as a core");
}

}  // namespace

void apply_affinity(NodeModel& model) {
  if (model.gpus.empty()) return;
  Doubts doubts;
  std::vector<LocalNode> nodes;
  const std::set<int> gpu_memory = gpu_memory_nodes(model);
  const bool has_lists = std::any_of(model.gpus.begin(), model.gpus.end(),
                                     [](const Gpu& gpu) { return !gpu.cpu_affinity.empty(); });
  for (std::size_t i = 0; i < model.gpus.size(); ++i) {
    Gpu& gpu = model.gpus[i];
    nodes.push_back(local_node(gpu, gpu_memory, i, doubts));
    gpu.numa = nodes.back().id;
    gpu.cpus = own_list(gpu, i, doubts);
    if (has_lists && gpu.cpu_affinity.empty())
      doubts.add("no CPU affinity: no CPU of this job is near", i);
  }
  forget_job_mask(model, nodes);
  forget_contradictions(model, doubts);
  doubts.tell(model);
  add_numa_nodes(model, gpu_memory);
  derive_cores(model);
}

}  // namespace rankmap
