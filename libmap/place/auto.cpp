// The strategy `auto`: others in turn, from the quickest, while time is left; the best answer is kept.
#include <algorithm>
#include <array>

#include "libmap/base/deadline.hpp"
#include "libmap/place/ranking.hpp"
#include "libmap/place/strategies.hpp"

namespace rankmap {
namespace {

struct Step {
  const char* strategy;
  PlaceResult (*place)(const Problem& problem);
  std::optional<Quality> quality;
  bool (*takes)(const Problem& problem);  // nullptr: any problem
  double share;                           // of the time that is left, at most
  double times_longer;  // than the step before it, where that is known: what it is expected to take
};

// Above, it takes as long as multilevel's quickest way and is worse.
bool greedy_takes(const Problem& problem) {
  return problem.app.ranks() <= 1 << 18;
}

constexpr std::array steps{
    Step{"linear", place_linear, std::nullopt, nullptr, 1, 0},
    Step{"greedy", place_greedy, std::nullopt, greedy_takes, 1, 0},
    Step{"cartesian", place_cartesian, std::nullopt, cartesian_takes, 0.3, 0},
    Step{"multilevel", place_multilevel, Quality::fast, nullptr, 1, 0},
    Step{"multilevel", place_multilevel, Quality::medium, nullptr, 1, 4},
    Step{"multilevel", place_multilevel, Quality::strong, nullptr, 1, 6},
};
constexpr Step exact{"exact", place_exact, std::nullopt, nullptr, 0.5, 0};

class Portfolio {
 public:
  explicit Portfolio(const Problem& problem) : problem_(problem) {}

  PlaceResult run() {
    if (exact_takes(problem_)) try_step(exact);
    for (const Step& step : steps)
      if (!is_settled() && is_wanted(step)) try_step(step);
    keep_the_default_order();
    return std::move(best_);
  }

 private:
  // A map is not worth its while where it gains less than was asked for.
  void keep_the_default_order() {
    if (problem_.min_gain <= 0 || best_.strategy == "linear") return;
    PlaceResult linear = place_linear(problem_);
    if (!linear.value || !best_.value) return;
    const double better = problem_.maximise() ? *best_.value : *linear.value;
    const double worse = problem_.maximise() ? *linear.value : *best_.value;
    if (better >= worse * (1 + problem_.min_gain)) return;
    linear.strategy = "linear";
    linear.bound = best_.bound;
    linear.optimal = same_value(linear.value, linear.bound);
    linear.notes.push_back("the default order is kept: " + best_.strategy +
                           " gains less than --min-gain asks for");
    best_ = std::move(linear);
  }

  bool is_settled() const { return best_.optimal && problem_.objective.then.empty(); }

  // With a time limit all qualities in turn up to the one that is asked for, else that one alone.
  bool is_wanted(const Step& step) const {
    if (best_.strategy.empty()) return true;
    if (step.takes != nullptr && !step.takes(problem_)) return false;
    if (problem_.time_limit_seconds) {
      if (step.quality && *step.quality > problem_.most_quality) return false;
      return step.times_longer * last_seconds_ < left();
    }
    return !step.quality || *step.quality == problem_.quality;
  }

  double left() const { return *problem_.time_limit_seconds - watch_.seconds(); }

  void try_step(const Step& step) {
    if (problem_.progress)
      problem_.progress({step.strategy, step.quality, best_.value, best_.bound});
    Problem part = problem_;
    part.bounded = problem_.bounded && best_.strategy.empty();  // it is the same for all
    if (problem_.time_limit_seconds) part.time_limit_seconds = step.share * std::max(0.0, left());
    if (step.quality) part.quality = *step.quality;
    const Stopwatch watch;
    PlaceResult result = step.place(part);
    last_seconds_ = watch.seconds();
    result.strategy = step.strategy;
    keep(std::move(result));
  }

  bool is_better(const PlaceResult& result) const {
    if (better_value(result.value, best_.value, problem_.maximise())) return true;
    if (better_value(best_.value, result.value, problem_.maximise())) return false;
    return compare_costs(problem_.further_costs(result.mapping),
                         problem_.further_costs(best_.mapping)) < 0;
  }

  void keep(PlaceResult result) {
    if (best_.strategy.empty()) {
      best_ = std::move(result);
      return;
    }
    const std::optional<double> bound =
        tighter_bound(best_.bound, result.bound, problem_.maximise());
    if (is_better(result)) best_ = std::move(result);
    best_.bound = bound;
    best_.optimal = best_.value.has_value() && same_value(best_.value, bound);
  }

  const Problem& problem_;
  Stopwatch watch_;
  PlaceResult best_;
  double last_seconds_ = 0;
};

}  // namespace

PlaceResult place_auto(const Problem& problem) {
  return Portfolio(problem).run();
}

}  // namespace rankmap
