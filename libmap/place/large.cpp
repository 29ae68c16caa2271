// Local search on values alone.
#include "libmap/place/large.hpp"

#include "libmap/place/links/list_refiner.hpp"
#include "libmap/place/places.hpp"
#include "libmap/place/ranking.hpp"
#include "libmap/place/trivial_bound.hpp"

namespace rankmap {
namespace {

std::size_t at(std::int32_t index) {
  return static_cast<std::size_t>(index);
}

class Swaps {
 public:
  Swaps(const Problem& problem, const Deadline& deadline, std::vector<SlotId> places)
      : problem_(problem), deadline_(deadline), places_(std::move(places)) {
    mapping_ = fill_in_order(problem, places_);
    for (Rank rank = 0; rank < problem.app.ranks(); ++rank)
      if (problem.fixed[at(rank)] == none) movable_.push_back(rank);
    value_ = problem.value(mapping_);
  }

  void run() {
    while (pass()) {
    }
  }
  const Mapping& mapping() const { return mapping_; }
  std::optional<double> value() const { return value_; }

 private:
  // places_[i] holds movable_[i]; the places behind are free.
  bool pass() {
    bool any = false;
    for (std::size_t i = 0; i < movable_.size(); ++i) {
      for (std::size_t j = i + 1; j < places_.size(); ++j) {
        if (deadline_.passed()) return false;
        any |= places_[i] != places_[j] && try_swap(i, j);
      }
    }
    return any;
  }

  bool try_swap(std::size_t i, std::size_t j) {
    swap(i, j);
    const std::optional<double> value = problem_.value(mapping_);
    if (better_value(value, value_, problem_.maximise())) {
      value_ = value;
      return true;
    }
    swap(i, j);
    return false;
  }

  void swap(std::size_t i, std::size_t j) {
    std::swap(places_[i], places_[j]);
    mapping_.slot_of[at(movable_[i])] = places_[i];
    if (j < movable_.size()) mapping_.slot_of[at(movable_[j])] = places_[j];
  }

  const Problem& problem_;
  const Deadline& deadline_;
  std::vector<SlotId> places_;
  std::vector<Rank> movable_;
  Mapping mapping_;
  std::optional<double> value_;
};

}  // namespace

PlaceResult place_large(const Problem& problem, const Deadline& deadline) {
  const Problem inner =
      problem.within_one_node() ? problem.on_node(problem.nodes_with_room().front()) : problem;
  Swaps swaps(inner, deadline, free_places(inner));
  swaps.run();
  PlaceResult result;
  result.mapping = refine_list(inner, swaps.mapping(), deadline);
  result.value = problem.value(result.mapping);
  result.bound = trivial_bound(problem);
  result.optimal = result.value.has_value() && same_value(result.value, result.bound);
  result.notes.push_back("too large for a proof: improved by swaps within the time limit");
  return result;
}

}  // namespace rankmap
