// Proof. Let a set B of slots have room for q ranks, and let all links that lead out of it have the
// bandwidth C together. A rank in B shares it with at most q - 1 others, so of all that it sends at
// least out(r, q) leaves B: all but what it sends to its q - 1 largest peers. Every byte that
// leaves B crosses at least one of the links, by whatever route, so one of them takes at least
// (bytes that leave B) / C seconds. Hence the two limits for slots divided into blocks such as B:
//   every rank lies in some block:         time >= max over r of out(r, q) / C
//   the blocks are n, and disjoint, so their links are: time >= sum over r of out(r, q) / (n C)
// A stencil's own limits of what n blocks send each other (GroupBound) may stand for that sum. The
// same holds for what is received. Further, all links together carry at least the hop-bytes
// (distance_bound.hpp), so one of them takes no less than that over the sum of their bandwidths;
// and where slots are single, a link apart at least and joined by single paths, the largest message
// is on a link as a whole. Phases are added in time, so their limits are.
#include "libmap/model/congestion_bound.hpp"

#include <algorithm>
#include <functional>

#include "libmap/model/bounds/distance_bound.hpp"
#include "libmap/model/bounds/group_bound.hpp"

namespace rankmap {
namespace {

// What one direction of every rank's traffic of a phase comes to, largest peers first.
class Traffic {
 public:
  Traffic(const CommGraph& app, std::int32_t phase, bool outgoing) {
    std::vector<Share> shares;
    for (const Edge& edge : app.edges_of_phase(phase))
      shares.push_back(outgoing ? Share{edge.source, edge.destination, edge.bytes}
                                : Share{edge.destination, edge.source, edge.bytes});
    std::sort(shares.begin(), shares.end(), [](const Share& a, const Share& b) {
      return a.rank != b.rank ? a.rank < b.rank : a.peer < b.peer;
    });
    for (std::size_t i = 0; i < shares.size();) {
      begin_.push_back(bytes_.size());
      const Rank rank = shares[i].rank;
      for (; i < shares.size() && shares[i].rank == rank; ++i) {
        const bool same =
            i > 0 && shares[i - 1].rank == rank && shares[i - 1].peer == shares[i].peer;
        if (same)
          bytes_.back() += static_cast<double>(shares[i].bytes);
        else
          bytes_.push_back(static_cast<double>(shares[i].bytes));
      }
      std::sort(bytes_.begin() + static_cast<std::ptrdiff_t>(begin_.back()), bytes_.end(),
                std::greater<>());
    }
    begin_.push_back(bytes_.size());
    suffix_sums();
  }

  std::size_t ranks() const { return begin_.size() - 1; }  // those with traffic
  std::int64_t most_peers() const { return most_peers_; }  // of any rank
  // All but the `peers` largest.
  double beyond(std::size_t rank, std::int64_t peers) const {
    const auto count = static_cast<std::int64_t>(begin_[rank + 1] - begin_[rank]);
    return peers >= count ? 0 : bytes_[begin_[rank] + static_cast<std::size_t>(peers)];
  }

 private:
  struct Share {
    Rank rank;
    Rank peer;
    Bytes bytes;
  };

  // From here on bytes_[i] is the sum of the i-th peer and the smaller ones of its rank.
  void suffix_sums() {
    for (std::size_t rank = 0; rank < ranks(); ++rank) {
      for (std::size_t i = begin_[rank + 1] - 1; i-- > begin_[rank];) bytes_[i] += bytes_[i + 1];
      most_peers_ =
          std::max(most_peers_, static_cast<std::int64_t>(begin_[rank + 1] - begin_[rank]));
    }
  }

  std::vector<std::size_t> begin_;
  std::vector<double> bytes_;
  std::int64_t most_peers_ = 0;
};

double limit(const Traffic& traffic, const GroupBound& groups, const SlotCut& cut,
             int ranks_per_slot) {
  const std::int64_t peers = cut.slots * ranks_per_slot - 1;
  double heaviest = 0;
  double sum = 0;
  for (std::size_t rank = 0; rank < traffic.ranks() && peers < traffic.most_peers(); ++rank) {
    const double beyond = traffic.beyond(rank, peers);
    heaviest = std::max(heaviest, beyond);
    sum += beyond;
  }
  if (cut.blocks > 0) {
    const GroupRow row{cut.slots * ranks_per_slot, cut.blocks};
    sum = std::max(sum, groups.bytes_between({&row, 1}));
  }
  const double each = cut.blocks == 0 ? 0 : sum / static_cast<double>(cut.blocks);
  return std::max(heaviest, each) / cut.bytes_per_second;
}

// What all links together tell. Distances that a network's text sets are not counted in links.
class AllLinks {
 public:
  AllLinks(const Machine& machine, int ranks_per_slot)
      : distances_(machine),
        ranks_per_slot_(ranks_per_slot),
        told_(machine.network() != nullptr && machine.network()->distance(0, 0) != none) {
    for (LinkId link = 0; link < machine.links(); ++link) {
      const auto bandwidth = static_cast<double>(machine.link(link).bytes_per_second);
      sum_ += bandwidth;
      widest_ = std::max(widest_, bandwidth);
    }
    const std::vector<SlotReach>& reaches = distances_.reaches;
    const bool apart =
        reaches.front().slots == 1 && (reaches.size() == 1 || reaches[1].distance >= 1);
    whole_ = ranks_per_slot == 1 && machine.plain_routes() && apart;
  }

  double limit(const GroupBound& groups, std::span<const Edge> edges) const {
    if (told_ || sum_ == 0) return 0;
    double bytes = 0;
    for (const Edge& edge : edges) bytes = std::max(bytes, static_cast<double>(edge.bytes));
    return std::max(whole_ ? bytes / widest_ : 0.0,
                    hop_bytes_bound(groups, distances_, ranks_per_slot_) / sum_);
  }

 private:
  DistanceLimits distances_;
  int ranks_per_slot_;
  bool told_;
  bool whole_ = false;
  double sum_ = 0;
  double widest_ = 0;
};

}  // namespace

double congestion_bound(const CommGraph& app, const Machine& machine, int ranks_per_slot) {
  const std::vector<SlotCut> cuts = machine.cuts();
  const AllLinks links(machine, ranks_per_slot);
  double seconds = 0;
  for (std::int32_t phase = 0; phase < app.phases(); ++phase) {
    const std::span<const Edge> edges = app.edges_of_phase(phase);
    const GroupBound groups(app.ranks(), edges);
    double worst = links.limit(groups, edges);
    for (const bool outgoing : {true, false}) {
      const Traffic traffic(app, phase, outgoing);
      for (const SlotCut& cut : cuts)
        worst = std::max(worst, limit(traffic, groups, cut, ranks_per_slot));
    }
    seconds += worst;
  }
  return seconds;
}

}  // namespace rankmap
