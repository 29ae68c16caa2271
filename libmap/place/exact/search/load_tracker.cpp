// Link loads with undo.
#include "libmap/place/exact/search/load_tracker.hpp"

#include <algorithm>
#include <numeric>

namespace rankmap {
namespace {

std::size_t at(std::int32_t index) {
  return static_cast<std::size_t>(index);
}

// The most bandwidth with which any slot can send (first links of its routes) or receive (last).
double widest_slot(const Instance& instance, bool outgoing) {
  double widest = 0;
  for (int slot = 0; slot < instance.slots(); ++slot) {
    std::vector<int> links;
    for (int other = 0; other < instance.slots(); ++other) {
      const auto route = outgoing ? instance.route(slot, other) : instance.route(other, slot);
      if (!route.empty()) links.push_back(outgoing ? route.front() : route.back());
    }
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    double sum = 0;
    for (int link : links) sum += instance.link_bandwidth(link);
    widest = std::max(widest, sum);
  }
  return widest;
}

double widest_link(const Instance& instance) {
  double widest = 0;
  for (int link = 0; link < instance.links(); ++link)
    widest = std::max(widest, instance.link_bandwidth(link));
  return widest;
}

}  // namespace

LoadTracker::LoadTracker(const Instance& instance)
    : instance_(instance),
      slot_of_(at(instance.ranks()), none),
      loads_(at(instance.app().phases()) * at(instance.links()), 0),
      worst_(at(instance.app().phases()), 0.0) {}

void LoadTracker::set_floor(std::vector<double> seconds_of_phase) {
  worst_ = std::move(seconds_of_phase);
  seconds_ = std::accumulate(worst_.begin(), worst_.end(), 0.0);
}

void LoadTracker::load(int from, int to, const Talk& talk) {
  Bytes* loads = loads_.data() + at(talk.phase) * at(instance_.links());
  double worst = worst_[at(talk.phase)];
  for (int link : instance_.route(from, to)) {
    Bytes& load = loads[link];
    load += talk.bytes;
    worst = std::max(worst, static_cast<double>(load) / instance_.link_bandwidth(link));
  }
  if (worst == worst_[at(talk.phase)]) return;
  changes_.push_back({talk.phase, worst_[at(talk.phase)]});
  worst_[at(talk.phase)] = worst;
}

void LoadTracker::place(Rank rank, int slot) {
  placed_.push_back({rank, seconds_, changes_.size()});
  slot_of_[at(rank)] = slot;
  for (const Talk& talk : instance_.talks(rank)) {
    const int other = slot_of_[at(talk.other)];
    if (other == none || other == slot) continue;
    load(talk.outgoing ? slot : other, talk.outgoing ? other : slot, talk);
  }
  if (changes_.size() == placed_.back().changes) return;
  seconds_ = 0;
  for (double worst : worst_) seconds_ += worst;
}

void LoadTracker::remove_last() {
  const Placed last = placed_.back();
  placed_.pop_back();
  const int slot = slot_of_[at(last.rank)];
  for (const Talk& talk : instance_.talks(last.rank)) {
    const int other = slot_of_[at(talk.other)];
    if (other == none || other == slot) continue;
    Bytes* loads = loads_.data() + at(talk.phase) * at(instance_.links());
    for (int link : talk.outgoing ? instance_.route(slot, other) : instance_.route(other, slot))
      loads[link] -= talk.bytes;
  }
  slot_of_[at(last.rank)] = none;
  for (; changes_.size() > last.changes; changes_.pop_back())
    worst_[at(changes_.back().phase)] = changes_.back().worst;
  seconds_ = last.seconds;
}

std::vector<double> phase_floors(const Instance& instance) {
  std::vector<double> floors(at(instance.app().phases()), 0.0);
  for (int slot = 0; slot < instance.slots(); ++slot) {
    if (instance.capacity(slot) > 1) return floors;  // then ranks of one slot need no link
    for (int other = 0; other < slot; ++other)       // nor those of one node of a bare network
      if (instance.route(slot, other).empty()) return floors;
  }
  constexpr double rounding = 1 - 1e-12;             // below what the loads themselves may round to
  const double link = widest_link(instance);
  for (const bool outgoing : {true, false}) {
    const double slot = widest_slot(instance, outgoing);
    std::vector<double> bytes(floors.size());
    for (Rank rank = 0; rank < instance.ranks() && slot > 0; ++rank) {
      std::fill(bytes.begin(), bytes.end(), 0.0);
      for (const Talk& talk : instance.talks(rank)) {
        if (talk.outgoing != outgoing) continue;
        bytes[at(talk.phase)] += static_cast<double>(talk.bytes);
        floors[at(talk.phase)] =
            std::max(floors[at(talk.phase)], rounding * static_cast<double>(talk.bytes) / link);
      }
      for (std::size_t phase = 0; phase < floors.size(); ++phase)
        floors[phase] = std::max(floors[phase], rounding * bytes[phase] / slot);
    }
  }
  return floors;
}

}  // namespace rankmap
