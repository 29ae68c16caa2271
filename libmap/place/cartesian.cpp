// The strategy `cartesian`: grids of ranks in bricks, strips, cuts and foldings; the best is refined.
#include <algorithm>

#include "libmap/base/error.hpp"
#include "libmap/base/random.hpp"
#include "libmap/place/cartesian/bricks.hpp"
#include "libmap/place/cartesian/cuts.hpp"
#include "libmap/place/cartesian/hyperplanes.hpp"
#include "libmap/place/cartesian/seats.hpp"
#include "libmap/place/cartesian/torus_foldings.hpp"
#include "libmap/place/links/list_refiner.hpp"
#include "libmap/place/links/refiners.hpp"
#include "libmap/place/links/schedule.hpp"
#include "libmap/place/places.hpp"
#include "libmap/place/ranking.hpp"
#include "libmap/place/strategies.hpp"
#include "libmap/place/trivial_bound.hpp"

namespace rankmap {
namespace {

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

// "the app ring:12 is ..., and the strategy cartesian needs ..."
Infeasible no_grid(const CommGraph& app, const std::optional<GridLikeness>& likest) {
  std::string message = "the strategy cartesian needs a grid whose ranks are numbered row by row; ";
  if (app.pairs().empty()) {
    message += "in this app no two ranks communicate";
  } else if (!likest) {
    message += "in this app of " + std::to_string(app.ranks()) + " ranks neighbouring numbers do " +
               "not communicate";
  } else {
    const auto percent = [](double part) { return std::to_string(static_cast<int>(100 * part)); };
    message += "the likest grid of this app is " + likest->grid.text() + ", between whose " +
               "neighbours " + percent(likest->bytes_explained) + " % of the bytes go, and " +
               percent(likest->pairs_used) + " % of whose sides are used (75 % of both are needed)";
  }
  return Infeasible(message + "; take the strategy multilevel");
}

// How much is looked at: what all exact values together may cost, in edges, and how many foldings.
struct Effort {
  std::size_t edges;
  std::size_t foldings;
};
Effort effort_of(const Problem& problem) {
  constexpr Effort rows[] = {
      {std::size_t{1} << 22, 1000}, {std::size_t{1} << 24, 6000}, {std::size_t{1} << 27, 40'000}};
  return rows[static_cast<int>(problem.quality)];
}

class Cartesian {
 public:
  // `bound`: where a mapping reaches it, nothing more is tried.
  Cartesian(const Problem& problem, const Grid& grid, std::optional<double> bound,
            const Deadline& deadline)
      : problem_(problem),
        grid_(grid),
        bound_(bound),
        deadline_(deadline),
        effort_(effort_of(problem)),
        values_(
            std::clamp<std::size_t>(effort_.edges / (problem.app.edges().size() + 1), 6, 20'000)) {
    consider("the order of the ranks", fill_in_order(problem, free_places(problem)));
  }

  Mapping run() {
    const auto* torus = dynamic_cast<const Torus*>(problem_.machine.network());
    if (torus != nullptr && !is_done() && problem_.machine.nodes() > 1) try_foldings(*torus);
    for (const Seats& seats : ways_to_fill(problem_)) try_orders(seats);
    winner_ = name_;
    refine();
    return best_.mapping;
  }
  // Its name: "bricks 4x4".
  const std::string& winner() const { return winner_; }
  bool refined() const { return winner_ != name_; }

 private:
  bool is_done() const {
    return deadline_.passed() ||
           (best_.value && best_.further.empty() && same_value(best_.value, bound_));
  }

  void consider(const std::string& name, Mapping mapping) {
    const std::optional<double> value = problem_.value(mapping);
    const bool first = best_.mapping.slot_of.empty();
    if (!first && better_value(best_.value, value, problem_.maximise())) return;
    Candidate next{value, {}, std::move(mapping), {}};
    next.further = problem_.further_costs(next.mapping);
    if (!first && !better_value(value, best_.value, problem_.maximise()) &&
        compare_costs(next.further, best_.further) >= 0)
      return;
    best_ = std::move(next);
    name_ = name;
  }

  void try_foldings(const Torus& torus) {
    const TorusFoldings foldings(problem_, grid_, torus);
    for (const Folding& folding :
         foldings.promising(effort_.foldings, (values_ + 1) / 2, deadline_)) {
      if (is_done()) return;
      consider("folding: " + folding.text(), seated(problem_, foldings.slots(folding)));
    }
  }

  // The i-th rank of the order on the i-th place.
  void consider_order(const std::string& name, const std::vector<Rank>& order, const Seats& seats) {
    const std::vector<SlotId> places = seats.in_order();
    std::vector<SlotId> wanted(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) wanted[at(order[i])] = places[i];
    consider(name + ", " + seats.name, seated(problem_, wanted));
  }

  void try_orders(const Seats& seats) {
    if (is_done()) return;
    const std::int64_t on_node = seats.most_on_a_node(problem_.machine);
    consider_order("cuts", cut_order(grid_, seats.arity, seats.count), seats);
    if (on_node > 1 && !is_done())
      if (const auto order = hyperplane_order(grid_, on_node))
        consider_order("hyperplanes", *order, seats);
    for (const Brick& brick :
         brick_shapes(grid_, on_node, std::clamp<std::size_t>(values_ / 8, 1, 24)))
      try_brick(brick, seats);
  }

  // Alone, and in bricks of bricks for the blocks of the network.
  void try_brick(const Brick& brick, const Seats& seats) {
    if (is_done()) return;
    consider_order("bricks " + brick.text(), brick_order(grid_, {brick.extents}), seats);
    std::vector<Extents> nested{brick.extents};
    std::int64_t leaves = problem_.machine.slots_per_node(), times = 1, block = 1;
    for (std::size_t level = seats.arity.size(); level-- > 0;) {
      block *= seats.arity[level];
      if (block <= leaves) continue;
      times *= seats.arity[level];
      if (const auto outer = brick_of_bricks(grid_, nested.front(), times)) {
        nested.insert(nested.begin(), *outer);
        times = 1;
      }
    }
    if (nested.size() > 1 && !is_done())
      consider_order("nested bricks " + brick.text(), brick_order(grid_, nested), seats);
  }

  // Cool first: what is good stays, but for what is better.
  void refine() {
    struct Row {
      double distance, congestion;
    };
    constexpr Row rows[] = {{0.02, 0.001}, {0.3, 0.03}};
    const std::int64_t moves = annealing_moves(problem_);
    if (moves == 0) return;
    const std::int64_t link_moves = link_annealing_moves(problem_);
    const double ranks = problem_.app.ranks();
    Random seeds(problem_.seed);
    for (const Row& row : rows) {
      const std::uint64_t seed = seeds.next();
      if (is_done()) return;
      if (problem_.objective.kind != ObjectiveKind::congestion)
        consider("",
                 refine_distance(problem_, best_.mapping,
                                 {moves / 4, row.distance / ranks, 0.02 / ranks, seed}, deadline_));
      else if (anneals_links(problem_) && link_moves > 0)
        consider("", refine_congestion(problem_, best_.mapping,
                                       {link_moves / 4, row.congestion, 1e-5, seed}, deadline_));
    }
  }

  const Problem& problem_;
  const Grid& grid_;
  std::optional<double> bound_;
  const Deadline& deadline_;
  Effort effort_;
  std::size_t values_;  // how many mappings may be valued
  Candidate best_;
  std::string name_, winner_;
};

}  // namespace

bool cartesian_takes(const Problem& problem) {
  const std::optional<GridLikeness> likest = likest_grid(problem.app);
  return likest && likest->is_good();
}

PlaceResult place_cartesian(const Problem& problem) {
  const std::optional<GridLikeness> likest = likest_grid(problem.app);
  if (!likest || !likest->is_good()) throw no_grid(problem.app, likest);
  const Problem inner = on_first_node(problem);
  const Deadline deadline(problem.time_limit_seconds);
  const std::optional<double> bound = trivial_bound(problem);
  Cartesian cartesian(inner, likest->grid, bound, deadline);
  PlaceResult result;
  result.mapping = refine_list(inner, cartesian.run(), deadline);
  result.value = problem.value(result.mapping);
  result.bound = bound;
  result.optimal = result.value.has_value() && same_value(result.value, result.bound);
  result.notes.push_back("grid " + likest->grid.text() + ": " + cartesian.winner() +
                         (cartesian.refined() ? ", then refined" : ""));
  return result;
}

}  // namespace rankmap
