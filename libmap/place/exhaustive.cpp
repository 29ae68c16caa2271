// The oracle: every mapping in lexicographic order, each valued plainly. Slow and obvious on
// purpose.
#include <algorithm>
#include <map>

#include "libmap/base/deadline.hpp"
#include "libmap/place/places.hpp"
#include "libmap/place/ranking.hpp"
#include "libmap/place/strategies.hpp"
#include "libmap/place/trivial_bound.hpp"

namespace rankmap {
namespace {

class Exhaustive {
 public:
  explicit Exhaustive(const Problem& problem)
      : problem_(problem),
        deadline_(problem.time_limit_seconds),
        left_(problem.capacity),
        current_{problem.fixed} {
    for (SlotId slot : problem.fixed)
      if (slot != none) --left_[static_cast<std::size_t>(slot)];
  }

  void run_on(NodeId first_node, NodeId last_node) {
    first_slot_ = problem_.machine.slot_at(first_node, 0);
    end_slot_ = problem_.machine.slot_at(last_node, 0) + problem_.machine.slots_per_node();
    assign(0);
  }

  PlaceResult result() {
    PlaceResult result;
    result.mapping = best_->mapping;
    result.value = best_->value;
    result.optimal = result.order_optimal = !stopped_;
    result.bound = stopped_ ? trivial_bound(problem_) : best_->value;
    result.top = top();
    return result;
  }

 private:
  void assign(Rank rank) {
    if (rank == problem_.app.ranks()) return consider();
    if (problem_.fixed[static_cast<std::size_t>(rank)] != none) return assign(rank + 1);
    for (SlotId slot = first_slot_; slot < end_slot_ && !stopped_; ++slot) {
      int& left = left_[static_cast<std::size_t>(slot)];
      if (left == 0) continue;
      --left;
      current_.slot_of[static_cast<std::size_t>(rank)] = slot;
      assign(rank + 1);
      ++left;
    }
  }

  void consider() {
    if (deadline_.passed() && best_) stopped_ = true;
    const std::optional<double> value = problem_.value(current_);
    if (problem_.top > 0) keep_best_of_set(value);
    if (best_ && better_value(best_->value, value, problem_.maximise())) return;
    Candidate candidate = candidate_of(value);
    if (!best_ || before(candidate, *best_, problem_.maximise())) best_ = std::move(candidate);
  }

  Candidate candidate_of(std::optional<double> value) const {
    return {value, tie_key(problem_.app, problem_.machine, current_), current_,
            problem_.further_costs(current_)};
  }

  void keep_best_of_set(std::optional<double> value) {
    Candidate candidate = candidate_of(value);
    const auto [place, added] = best_of_set_.try_emplace(slots_used(current_), candidate);
    if (!added && before(candidate, place->second, problem_.maximise()))
      place->second = std::move(candidate);
  }

  std::vector<RankedMapping> top() {
    std::vector<Candidate> sorted;
    for (auto& [slots, candidate] : best_of_set_) sorted.push_back(std::move(candidate));
    const bool maximise = problem_.maximise();
    std::sort(sorted.begin(), sorted.end(), [maximise](const Candidate& a, const Candidate& b) {
      return before(a, b, maximise);
    });
    std::vector<RankedMapping> top;
    for (Candidate& candidate : sorted)
      if (std::ssize(top) < problem_.top)
        top.push_back({candidate.value, std::move(candidate.mapping)});
    return top;
  }

  const Problem& problem_;
  Deadline deadline_;
  std::vector<int> left_;
  Mapping current_;
  SlotId first_slot_ = 0;
  SlotId end_slot_ = 0;
  std::optional<Candidate> best_;
  std::map<std::vector<SlotId>, Candidate> best_of_set_;
  bool stopped_ = false;
};

}  // namespace

PlaceResult place_exhaustive(const Problem& problem) {
  Exhaustive search(problem);
  if (problem.within_one_node()) {
    for (NodeId node : problem.nodes_with_room()) search.run_on(node, node);
  } else {
    search.run_on(0, problem.machine.nodes() - 1);
  }
  return search.result();
}

}  // namespace rankmap
