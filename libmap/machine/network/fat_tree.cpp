#include "libmap/machine/network/fat_tree.hpp"

#include <algorithm>

#include "libmap/base/error.hpp"

namespace rankmap {

FatTree::FatTree(FatTreeOptions options) : options_(std::move(options)) {
  constexpr std::int64_t most_links = std::int64_t{1} << 28;
  for (const int count : options_.down) nodes_ *= count;
  NodeId below = 1;
  std::int64_t paths = 1;
  std::int64_t links = 0;
  for (std::size_t i = 0; i + 1 < options_.down.size(); ++i) {
    below *= options_.down[i];
    paths *= options_.up[i];
    if (paths > most_links || links + 2 * (nodes_ / below) * paths > most_links)
      throw UsageError("the network " + options_.text + " is too large");
    levels_.push_back({below, static_cast<LinkId>(paths), static_cast<LinkId>(links)});
    links += 2 * (nodes_ / below) * paths;
  }
  links_ = static_cast<LinkId>(links);
}

bool FatTree::single_path() const {
  return options_.routing == TreeRouting::dmodk || levels_.empty() || levels_.back().paths == 1;
}

const FatTree::Level& FatTree::level_of(LinkId link) const {
  std::size_t level = levels_.size() - 1;
  while (levels_[level].first > link) --level;
  return levels_[level];
}

NetworkLink FatTree::link(LinkId link) const {
  const auto level = static_cast<std::size_t>(&level_of(link) - levels_.data());
  const bool down = (link - levels_[level].first) % 2 == 1;
  return {down ? LinkKind::down : LinkKind::up, options_.bytes_per_second[level + 1]};
}

std::string FatTree::link_name(LinkId link) const {
  const Level& level = level_of(link);
  const LinkId index = (link - level.first) / 2;
  const bool down = (link - level.first) % 2 == 1;
  return "switch" + std::to_string(&level - levels_.data() + 1) + "." +
         std::to_string(index / level.paths) + (down ? " down " : " up ") +
         std::to_string(index % level.paths);
}

std::size_t FatTree::meeting_level(EndpointId from, EndpointId to) const {
  std::size_t level = 0;
  while (level < levels_.size() && from / levels_[level].nodes != to / levels_[level].nodes)
    ++level;
  return level;
}

int FatTree::hops(EndpointId from, EndpointId to) const {
  return 2 * static_cast<int>(meeting_level(from, to));
}

int FatTree::distance(NodeId from, NodeId to) const {
  if (options_.distances.empty()) return none;
  return options_.distances[from == to ? 0 : meeting_level(from, to) + 1];
}

void FatTree::append_route(EndpointId from, EndpointId to, std::vector<LinkId>& route) const {
  const std::size_t top = meeting_level(from, to);
  for (std::size_t i = 0; i < top; ++i)
    route.push_back(link_at(levels_[i], from / levels_[i].nodes, to % levels_[i].paths, 0));
  for (std::size_t i = top; i-- > 0;)
    route.push_back(link_at(levels_[i], to / levels_[i].nodes, to % levels_[i].paths, 1));
}

void FatTree::add_evenly(const Level& level, NodeId group, int down, double bytes,
                         std::span<double> loads) const {
  auto link = static_cast<std::size_t>(link_at(level, group, 0, down));
  for (LinkId path = 0; path < level.paths; ++path, link += 2) loads[link] += bytes / level.paths;
}

void FatTree::add_load(EndpointId from, EndpointId to, double bytes,
                       std::span<double> loads) const {
  if (options_.routing == TreeRouting::dmodk) return Network::add_load(from, to, bytes, loads);
  for (std::size_t i = meeting_level(from, to); i-- > 0;) {
    add_evenly(levels_[i], from / levels_[i].nodes, 0, bytes, loads);
    add_evenly(levels_[i], to / levels_[i].nodes, 1, bytes, loads);
  }
}

// By symmetry the paths of a group carry the same under ecmp: sums a group first.
void FatTree::add_loads(std::span<const NodeFlow> flows, std::span<double> loads) const {
  if (options_.routing == TreeRouting::dmodk) {
    for (const NodeFlow& flow : flows) {
      for (std::size_t i = meeting_level(flow.from, flow.to); i-- > 0;) {
        const Level& level = levels_[i];
        const LinkId path = flow.to % level.paths;
        const auto up = link_at(level, flow.from / level.nodes, path, 0);
        const auto down = link_at(level, flow.to / level.nodes, path, 1);
        loads[static_cast<std::size_t>(up)] += flow.bytes;
        loads[static_cast<std::size_t>(down)] += flow.bytes;
      }
    }
    return;
  }
  std::vector<std::vector<double>> sums;  // [level][2 x group + down]
  for (const Level& level : levels_)
    sums.emplace_back(static_cast<std::size_t>(2 * (nodes_ / level.nodes)), 0.0);
  for (const NodeFlow& flow : flows) {
    for (std::size_t i = meeting_level(flow.from, flow.to); i-- > 0;) {
      sums[i][static_cast<std::size_t>(2 * (flow.from / levels_[i].nodes))] += flow.bytes;
      sums[i][static_cast<std::size_t>(2 * (flow.to / levels_[i].nodes) + 1)] += flow.bytes;
    }
  }
  for (std::size_t i = 0; i < levels_.size(); ++i)
    for (std::size_t at = 0; at < sums[i].size(); ++at)
      if (sums[i][at] != 0)
        add_evenly(levels_[i], static_cast<NodeId>(at / 2), static_cast<int>(at % 2), sums[i][at],
                   loads);
}

std::vector<NetworkCut> FatTree::cuts() const {
  std::vector<NetworkCut> cuts;
  for (std::size_t i = 0; i < levels_.size(); ++i)
    cuts.push_back({levels_[i].nodes, nodes_ / levels_[i].nodes,
                    static_cast<double>(levels_[i].paths) *
                        static_cast<double>(options_.bytes_per_second[i + 1])});
  return cuts;
}

std::vector<NetworkReach> FatTree::reaches() const {
  std::vector<NetworkReach> rows = {{0, 1}};
  for (std::size_t level = 0; level <= levels_.size(); ++level) {
    const int distance =
        options_.distances.empty() ? 2 * static_cast<int>(level) : options_.distances[level + 1];
    const NodeId nodes = level < levels_.size() ? levels_[level].nodes : nodes_;
    rows.push_back({distance, nodes});
  }
  for (std::size_t i = rows.size(); i-- > 1;)  // told distances may fall again farther out
    rows[i - 1].distance = std::min(rows[i - 1].distance, rows[i].distance);
  return rows;
}

std::vector<NetworkDivision> FatTree::divisions() const {
  const std::vector<NetworkReach> rows = reaches();
  std::vector<NetworkDivision> divisions;
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (rows[i].distance > rows[i - 1].distance)
      divisions.push_back({static_cast<double>(rows[i].distance - rows[i - 1].distance),
                           {{rows[i - 1].nodes, nodes_ / rows[i - 1].nodes}}});
  return divisions;
}

NetworkShape FatTree::shape() const {
  return {{options_.down.rbegin(), options_.down.rend()}, {}};
}

}  // namespace rankmap
