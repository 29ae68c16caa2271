#include "libmap/model/communicators.hpp"

#include <algorithm>
#include <utility>

namespace rankmap {
namespace {

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

// The edges of every group, by group; those of none are left out.
std::vector<const Edge*> by_group(const CommGraph& app) {
  std::vector<const Edge*> edges;
  for (const Edge& edge : app.edges())
    if (edge.group != none) edges.push_back(&edge);
  std::stable_sort(edges.begin(), edges.end(),
                   [](const Edge* a, const Edge* b) { return a->group < b->group; });
  return edges;
}

class Loads {
 public:
  Loads(const Machine& machine, const Mapping& mapping)
      : machine_(machine),
        mapping_(mapping),
        plain_(machine.plain_routes()),
        loads_(at(machine.links()), 0.0) {}

  void add(const Edge& edge) {
    const SlotId from = mapping_[edge.source], to = mapping_[edge.destination];
    const auto bytes = static_cast<double>(edge.bytes);
    if (from == to || bytes == 0) return;
    if (!plain_) return machine_.add_load(from, to, bytes, loads_);
    route_.clear();
    machine_.append_route(from, to, route_);
    for (const LinkId link : route_) {
      if (loads_[at(link)] == 0) touched_.push_back(link);
      loads_[at(link)] += bytes;
    }
  }

  // What was added, and nothing is left.
  CommunicatorLoad take(std::int32_t group) {
    CommunicatorLoad load;
    load.group = group;
    if (plain_) {
      for (const LinkId link : touched_) take_link(link, load);
      touched_.clear();
    } else {
      for (LinkId link = 0; link < machine_.links(); ++link)
        if (loads_[at(link)] != 0) take_link(link, load);
    }
    return load;
  }

 private:
  void take_link(LinkId link, CommunicatorLoad& load) {
    const double bytes = std::exchange(loads_[at(link)], 0.0);
    ++load.links;
    load.most_bytes = std::max(load.most_bytes, bytes);
    const auto bandwidth = static_cast<double>(machine_.link(link).bytes_per_second);
    load.seconds = std::max(load.seconds, bytes / bandwidth);
  }

  const Machine& machine_;
  const Mapping& mapping_;
  bool plain_;
  std::vector<double> loads_;
  std::vector<LinkId> route_, touched_;
};

}  // namespace

std::vector<CommunicatorLoad> communicator_loads(const CommGraph& app, const Machine& machine,
                                                 const Mapping& mapping) {
  std::vector<CommunicatorLoad> rows;
  Loads loads(machine, mapping);
  const std::vector<const Edge*> edges = by_group(app);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    loads.add(*edges[i]);
    const bool last = i + 1 == edges.size() || edges[i + 1]->group != edges[i]->group;
    if (!last) continue;
    const CommunicatorLoad row = loads.take(edges[i]->group);
    if (row.links > 0) rows.push_back(row);
  }
  std::stable_sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) {
    return app.groups()[at(a.group)].phase < app.groups()[at(b.group)].phase;
  });
  return rows;
}

std::optional<std::vector<PhaseCommunicators>> phase_communicators(const CommGraph& app,
                                                                   const Machine& machine,
                                                                   const Mapping& mapping) {
  constexpr std::int64_t most_looks = std::int64_t{1} << 34;
  const auto groups = static_cast<std::int64_t>(app.groups().size());
  if (!machine.plain_routes() && groups > 0 && machine.links() > most_looks / groups)
    return std::nullopt;
  std::vector<PhaseCommunicators> phases;
  for (const CommunicatorLoad& load : communicator_loads(app, machine, mapping)) {
    const std::int32_t phase = app.groups()[at(load.group)].phase;
    if (phases.empty() || phases.back().phase != phase)
      phases.push_back({phase, 0, load.links, load.links, 0, load});
    PhaseCommunicators& row = phases.back();
    ++row.communicators;
    row.least_links = std::min(row.least_links, load.links);
    row.most_links = std::max(row.most_links, load.links);
    row.mean_links += static_cast<double>(load.links);
    if (load.most_bytes > row.worst.most_bytes) row.worst = load;
  }
  for (PhaseCommunicators& row : phases) row.mean_links /= static_cast<double>(row.communicators);
  return phases;
}

}  // namespace rankmap
