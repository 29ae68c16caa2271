#include "libmap/place/links/list_refiner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "libmap/base/random.hpp"
#include "libmap/place/links/distance_sum.hpp"
#include "libmap/place/links/link_times.hpp"
#include "libmap/place/ranking.hpp"

namespace rankmap {
namespace {

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

// One objective of the list under a mapping that changes; less cost is better. The weight is what
// an evaluation costs.
class Term {
 public:
  virtual ~Term() = default;
  virtual double cost() const = 0;
  virtual double stand_in() const { return 0; }  // smooth; decides where all costs are the same
  virtual double weight() const = 0;
  virtual void exchange(Rank a, SlotId slot, Rank b) = 0;
};

class DistanceTerm final : public Term {
 public:
  DistanceTerm(const Problem& problem, const Mapping& start, ObjectiveKind kind)
      : sum_(problem, start, kind),
        weight_(4.0 * static_cast<double>(problem.app.edges().size()) / problem.app.ranks()) {}
  double cost() const override { return sum_.value(); }
  double weight() const override { return weight_; }
  void exchange(Rank a, SlotId slot, Rank b) override { sum_.exchange(a, slot, b); }

 private:
  DistanceSum sum_;
  double weight_;
};

class CongestionTerm final : public Term {
 public:
  CongestionTerm(const Problem& problem, const Mapping& start)
      : times_(problem.app, problem.machine),
        weight_(static_cast<double>(problem.machine.links()) * problem.app.phases()) {
    times_.begin(start);
  }
  double cost() const override { return times_.value(); }
  double stand_in() const override { return times_.energy(); }
  double weight() const override { return weight_; }
  void exchange(Rank a, SlotId slot, Rank b) override { times_.exchange(a, slot, b); }

 private:
  LinkTimes times_;
  double weight_;
};

// Whatever has no cheaper way: the value anew.
class ValueTerm final : public Term {
 public:
  ValueTerm(const Problem& problem, const Mapping& start, ObjectiveKind kind)
      : problem_(problem), objective_(problem.objective), mapping_(start) {
    objective_.kind = kind;
  }
  double cost() const override {
    const std::optional<double> value =
        value_of(objective_, problem_.app, problem_.machine, mapping_, problem_.score);
    if (!value) return std::numeric_limits<double>::infinity();
    return row_of(objective_.kind).maximise ? -*value : *value;
  }
  double weight() const override {
    return 10.0 * static_cast<double>(problem_.app.edges().size()) +
           (problem_.within_one_node() ? 10'000 : 0);
  }
  void exchange(Rank a, SlotId slot, Rank b) override {
    const SlotId old = mapping_[a];
    mapping_.slot_of[at(a)] = slot;
    if (b != none) mapping_.slot_of[at(b)] = old;
  }

 private:
  const Problem& problem_;
  Objective objective_;
  Mapping mapping_;
};

std::unique_ptr<Term> term_of(const Problem& problem, const Mapping& start, ObjectiveKind kind) {
  if (kind == ObjectiveKind::hopbytes || kind == ObjectiveKind::offnode)
    return std::make_unique<DistanceTerm>(problem, start, kind);
  if (kind == ObjectiveKind::congestion) return std::make_unique<CongestionTerm>(problem, start);
  return std::make_unique<ValueTerm>(problem, start, kind);
}

class ListRefiner {
 public:
  ListRefiner(const Problem& problem, const Mapping& start)
      : problem_(problem),
        random_(problem.seed),
        mapping_(start),
        ranks_on_(problem.capacity.size()) {
    terms_.push_back(term_of(problem, start, problem.objective.kind));
    for (const ObjectiveKind kind : problem.objective.then)
      terms_.push_back(term_of(problem, start, kind));
    for (Rank rank = 0; rank < problem.app.ranks(); ++rank) {
      ranks_on_[at(start[rank])].push_back(rank);
      if (problem.fixed[at(rank)] == none) movable_.push_back(rank);
    }
    for (SlotId slot = 0; slot < problem.machine.slots(); ++slot)
      if (problem.capacity[at(slot)] > 0) usable_.push_back(slot);
    costs_ = costs();
    stand_in_ = stand_in();
  }

  void run(const Deadline& deadline) {
    if (movable_.empty()) return;
    for (std::int64_t i = moves(); i > 0; --i) {
      if (i % 64 == 0 && deadline.passed()) return;
      step();
    }
  }
  const Mapping& mapping() const { return mapping_; }

 private:
  std::int64_t moves() const {
    constexpr double work[] = {2e7, 1e8, 1e9};
    constexpr double fewest = 1000, a_rank = 2000;
    double weight = 20;
    for (const auto& term : terms_) weight += term->weight();
    const double affordable = work[static_cast<int>(problem_.quality)] / weight;
    return static_cast<std::int64_t>(
        std::clamp(affordable, fewest, a_rank * (20 + problem_.app.ranks())));
  }

  // Later costs are not looked at where an earlier one is worse.
  bool is_better(std::vector<double>& next, double& stand_in) const {
    bool better = false;
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      next.push_back(terms_[i]->cost());
      if (better || std::abs(next[i] - costs_[i]) <= 1e-12 * std::abs(costs_[i])) continue;
      if (!(next[i] < costs_[i])) return false;
      better = true;
    }
    stand_in = this->stand_in();
    return better || stand_in < stand_in_ * (1 - 1e-9);
  }

  void step() {
    const Rank rank = movable_[random_.below(movable_.size())];
    const SlotId from = mapping_[rank];
    const SlotId to = usable_[random_.below(usable_.size())];
    if (to == from) return;
    const std::vector<Rank>& there = ranks_on_[at(to)];
    Rank other = none;
    if (static_cast<int>(there.size()) >= problem_.capacity[at(to)]) {
      other = there[random_.below(there.size())];
      if (problem_.fixed[at(other)] != none) return;
    }
    for (const auto& term : terms_) term->exchange(rank, to, other);
    std::vector<double> next;
    double stand_in = 0;
    if (!is_better(next, stand_in)) {
      for (const auto& term : terms_) term->exchange(rank, from, other);
      return;
    }
    costs_ = std::move(next);
    stand_in_ = stand_in;
    move(rank, from, to);
    if (other != none) move(other, to, from);
  }

  void move(Rank rank, SlotId from, SlotId to) {
    std::vector<Rank>& left = ranks_on_[at(from)];
    left.erase(std::find(left.begin(), left.end(), rank));
    ranks_on_[at(to)].push_back(rank);
    mapping_.slot_of[at(rank)] = to;
  }

  std::vector<double> costs() const {
    std::vector<double> costs;
    for (const auto& term : terms_) costs.push_back(term->cost());
    return costs;
  }
  double stand_in() const {
    double sum = 0;
    for (const auto& term : terms_) sum += term->stand_in();
    return sum;
  }

  const Problem& problem_;
  Random random_;
  Mapping mapping_;
  std::vector<std::vector<Rank>> ranks_on_;
  std::vector<Rank> movable_;
  std::vector<SlotId> usable_;
  std::vector<std::unique_ptr<Term>> terms_;
  std::vector<double> costs_;
  double stand_in_ = 0;
};

}  // namespace

// The terms are kept up to date in doubles: the plain values have the last word.
Mapping refine_list(const Problem& problem, const Mapping& start, const Deadline& deadline) {
  if (problem.objective.then.empty()) return start;
  ListRefiner refiner(problem, start);
  refiner.run(deadline);
  const Candidate before_it{problem.value(start), {}, start, problem.further_costs(start)};
  const Mapping& after = refiner.mapping();
  const Candidate behind_it{problem.value(after), {}, after, problem.further_costs(after)};
  if (better_value(before_it.value, behind_it.value, problem.maximise())) return start;
  if (better_value(behind_it.value, before_it.value, problem.maximise())) return after;
  return compare_costs(behind_it.further, before_it.further) < 0 ? after : start;
}

}  // namespace rankmap
