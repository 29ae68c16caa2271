#include "libmap/mapping/read/foreign_map.hpp"

#include <algorithm>
#include <optional>

#include "libmap/base/text.hpp"

namespace rankmap {
namespace {

std::string short_name(const std::string& host) {
  return host.substr(0, host.find('.'));
}

// host -> node, filled as a map's ranks are met.
class Nodes {
 public:
  explicit Nodes(const Machine& machine) : machine_(machine) {
    if (!machine.hosts_named()) return;
    for (NodeId node = 0; node < machine.nodes(); ++node) add_name(machine.host(node), node);
  }

  NodeId of(const ForeignRank& rank) {
    const NodeId node = rank.host.empty() ? rank.node : named(rank);
    if (node < 0 || node >= machine_.nodes())
      throw InputError(rank.where, "node " + std::to_string(node) + " is not in the machine " +
                                       machine_.name() + ", which has " +
                                       std::to_string(machine_.nodes()));
    return node;
  }

 private:
  void add_name(const std::string& host, NodeId node) {
    names_[host] = node;
    const auto [known, fresh] = short_names_.emplace(short_name(host), node);
    if (!fresh) known->second = none;
  }

  NodeId named(const ForeignRank& rank) {
    if (const auto known = names_.find(rank.host); known != names_.end()) return known->second;
    if (machine_.hosts_named()) {
      const auto by_short = short_names_.find(short_name(rank.host));
      if (by_short != short_names_.end() && by_short->second != none) return by_short->second;
      throw InputError(rank.where, "host " + quoted(rank.host) + " is not in the machine " +
                                       machine_.name() + ", expected one of its hosts (" +
                                       machine_.host(0) + " ...)");
    }
    const NodeId next = static_cast<NodeId>(names_.size());
    if (next >= machine_.nodes())
      throw InputError(rank.where, "host " + quoted(rank.host) + " is one more than the machine " +
                                       machine_.name() + " has nodes (" +
                                       std::to_string(machine_.nodes()) + ")");
    names_[rank.host] = next;
    return next;
  }

  const Machine& machine_;
  std::map<std::string, NodeId> names_, short_names_;
};

// Which slots of a node a rank may mean, by what is told of it.
class Slots {
 public:
  explicit Slots(const Machine& machine) : machine_(machine) {
    for (int local = 0; local < machine.slots_per_node(); ++local)
      rows_.push_back(machine.slot(machine.slot_at(0, local)));
    knows_cores_ = std::any_of(rows_.begin(), rows_.end(),
                               [](const SlotRow& row) { return !row.cores.empty(); });
    knows_cpus_ = std::any_of(rows_.begin(), rows_.end(),
                              [](const SlotRow& row) { return !row.cpus.empty(); });
  }

  int count() const { return static_cast<int>(rows_.size()); }

  // Empty: nothing is told that the machine knows.
  std::vector<int> meant_by(const ForeignRank& rank) const {
    if (rank.slot != none) return only_slot(rank);
    if (rank.gpu != none) return with_gpu(rank);
    if (!rank.cores.empty() && knows_cores_)
      return touching(rank, cores_of(rank), &SlotRow::cores, "cores");
    if (!rank.cpus.empty() && knows_cpus_) return touching(rank, rank.cpus, &SlotRow::cpus, "CPUs");
    return {};
  }

 private:
  std::vector<int> only_slot(const ForeignRank& rank) const {
    if (rank.slot >= count())
      throw InputError(rank.where, "slot " + std::to_string(rank.slot) +
                                       " of a node, but a node of " + machine_.name() + " has " +
                                       std::to_string(count()));
    return {rank.slot};
  }

  std::vector<int> with_gpu(const ForeignRank& rank) const {
    for (const SlotRow& row : rows_)
      if (row.gpu == rank.gpu) return {row.local};
    throw InputError(rank.where, "GPU " + std::to_string(rank.gpu) + " is not in the machine " +
                                     machine_.name());
  }

  CpuSet cores_of(const ForeignRank& rank) const {
    CpuSet cores;
    for (const CoreSelection& selection : rank.cores)
      cores =
          cores.united(selection.package == none ? selection.cores : of_package(rank, selection));
    return cores;
  }

  CpuSet of_package(const ForeignRank& rank, const CoreSelection& selection) const {
    CpuSet cores;
    int number = 0;
    for (const Core& core : machine_.model().cores)
      if (core.package == selection.package &&
          (selection.whole_package | selection.cores.contains(number++)))
        cores.add(core.logical);
    if (cores.empty())
      throw InputError(rank.where, "package " + std::to_string(selection.package) +
                                       " or its cores are not in the machine " + machine_.name());
    return cores;
  }

  // Slots that hold all of the set, else those that hold some of it.
  std::vector<int> touching(const ForeignRank& rank, const CpuSet& set, CpuSet SlotRow::*known,
                            const char* what) const {
    std::vector<int> whole, part;
    for (const SlotRow& row : rows_) {
      if ((row.*known).contains_all(set)) whole.push_back(row.local);
      if (!(row.*known).intersection(set).empty()) part.push_back(row.local);
    }
    if (part.empty())
      throw InputError(rank.where, std::string(what) + " " + set.to_string() +
                                       " belong to no slot of the machine " + machine_.name());
    return whole.empty() ? part : whole;
  }

  const Machine& machine_;
  std::vector<SlotRow> rows_;
  bool knows_cores_ = false, knows_cpus_ = false;
};

struct Wish {
  Rank rank;
  const ForeignRank* row;
  std::vector<int> slots;  // empty: any
};

// Gives out the slots of one node: who has the fewest to choose from comes first.
void place_node(std::vector<Wish>& wishes, int slots, NodeId node, const Machine& machine,
                Mapping& mapping) {
  const auto choices = [](const Wish& wish) {
    return wish.slots.empty() ? SIZE_MAX : wish.slots.size();
  };
  std::stable_sort(wishes.begin(), wishes.end(),
                   [&](const Wish& a, const Wish& b) { return choices(a) < choices(b); });
  std::vector<int> ranks_on(static_cast<std::size_t>(slots));
  const auto load = [&](int slot) { return ranks_on[static_cast<std::size_t>(slot)]; };
  int first_free = 0;
  for (const Wish& wish : wishes) {
    int slot = none;
    if (wish.slots.empty()) {
      while (first_free < slots && load(first_free) > 0) ++first_free;
      if (first_free == slots)
        throw InputError(wish.row->where,
                         "rank " + std::to_string(wish.rank) + " finds no free slot: a node of " +
                             machine.name() + " has " + std::to_string(slots) + ", and " +
                             std::to_string(wishes.size()) + " ranks are on this one");
      slot = first_free;
    } else {
      slot = *std::min_element(wish.slots.begin(), wish.slots.end(),
                               [&](int a, int b) { return load(a) < load(b); });
    }
    ++ranks_on[static_cast<std::size_t>(slot)];
    mapping.slot_of[static_cast<std::size_t>(wish.rank)] = machine.slot_at(node, slot);
  }
}

void check_complete(const ForeignMap& map) {
  if (map.ranks.empty())
    throw InputError({map.source, 0, 0}, "no rank is in it, expected at least one");
  Rank expected = 0;
  for (const auto& [rank, row] : map.ranks)
    if (rank != expected++)
      throw InputError(row.where, "rank " + std::to_string(rank) + " is here, but rank " +
                                      std::to_string(expected - 1) + " is not in the file");
}

}  // namespace

ForeignRank& add_rank(ForeignMap& map, std::int64_t rank, const TextPosition& where) {
  if (rank < 0 || rank >= most_ranks)
    throw InputError(where, "rank " + std::to_string(rank) + ", expected 0 to " +
                                std::to_string(most_ranks - 1));
  const auto [row, fresh] = map.ranks.emplace(static_cast<Rank>(rank), ForeignRank());
  if (!fresh)
    throw InputError(where, "rank " + std::to_string(rank) + " is already in line " +
                                std::to_string(row->second.where.line));
  row->second.where = where;
  return row->second;
}

Mapping place_on(const ForeignMap& map, const Machine& machine) {
  check_complete(map);
  Nodes nodes(machine);
  const Slots slots(machine);
  std::map<NodeId, std::vector<Wish>> by_node;
  for (const auto& [rank, row] : map.ranks) {
    const NodeId node = nodes.of(row);
    by_node[node].push_back({rank, &row, slots.meant_by(row)});
  }
  Mapping mapping{std::vector<SlotId>(map.ranks.size(), none)};
  for (auto& [node, wishes] : by_node) place_node(wishes, slots.count(), node, machine, mapping);
  return mapping;
}

}  // namespace rankmap
