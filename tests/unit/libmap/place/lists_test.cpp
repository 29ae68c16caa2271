// Lists of objectives: the text, the oracle against plain enumeration, and strategies against the
// oracle.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "libmap/base/error.hpp"
#include "libmap/base/random.hpp"
#include "libmap/machine/machine_spec.hpp"
#include "libmap/place/links/list_refiner.hpp"
#include "libmap/place/places.hpp"
#include "libmap/place/ranking.hpp"
#include "patterns/pattern.hpp"

namespace rankmap::test {
namespace {

std::string refusal_of(const char* text) {
  try {
    parse_objective(text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(ObjectiveList, IsReadAndWrittenInOrder) {
  const Objective list = parse_objective("offnode, congestion,hopbytes");
  EXPECT_EQ(list.kind, ObjectiveKind::offnode);
  EXPECT_EQ(list.then, (std::vector{ObjectiveKind::congestion, ObjectiveKind::hopbytes}));
  EXPECT_EQ(objective_text(list), "offnode,congestion,hopbytes");
  EXPECT_TRUE(parse_objective("effbw").then.empty());
}

TEST(ObjectiveList, RefusesUnknownNamesAndRepeats) {
  EXPECT_NE(refusal_of("offnode,congstion").find("congstion"), std::string::npos);
  EXPECT_NE(refusal_of("offnode,hopbytes,offnode").find("offnode is given twice"),
            std::string::npos);
  EXPECT_NE(refusal_of("offnode,"), "");
  EXPECT_NE(refusal_of(""), "");
}

struct Job {
  CommGraph app;
  Machine machine;
  PlaceRequest request;

  Job(const std::string& app_text, const std::string& machine_text, const char* objectives)
      : app(read_app(app_text)), machine(read_machine(machine_text, {})) {
    request.objective = parse_objective(objectives);
    request.quality = Quality::fast;
  }
  const PlaceRequest& asked() {
    request.app = &app;
    request.machine = &machine;
    return request;
  }
};

// The value and the further ones of a mapping, less is better.
std::vector<double> costs_of(const Problem& problem, const Mapping& mapping) {
  std::vector<double> costs = problem.further_costs(mapping);
  const double value = problem.value(mapping).value();
  costs.insert(costs.begin(), problem.maximise() ? -value : value);
  return costs;
}

std::vector<double> least_costs(Job& job) {
  const Problem problem = checked_problem(job.asked());
  std::vector<SlotId> slots(static_cast<std::size_t>(job.machine.slots()));
  std::iota(slots.begin(), slots.end(), 0);
  std::vector<double> least;
  do {
    const Mapping mapping{{slots.begin(), slots.begin() + job.app.ranks()}};
    std::vector<double> costs = costs_of(problem, mapping);
    if (least.empty() || compare_costs(costs, least) < 0) least = std::move(costs);
  } while (std::next_permutation(slots.begin(), slots.end()));
  return least;
}

constexpr const char* lists[] = {"offnode,congestion", "congestion,hopbytes",
                                 "hopbytes,congestion,offnode", "offnode,hopbytes,congestion",
                                 "congestion,aggbw"};
constexpr const char* machines[] = {"mesh:3x2", "flat:3,slots=2", "fattree:2:3,up=1",
                                    "torus:3,slots=2"};
constexpr const char* apps[] = {"ring:6",
                                "stencil:2x3",
                                "star:5",
                                "random:6,degree=3",
                                "ring:6/star:6,bytes=3",
                                "alltoall:3x2,vary=x"};

TEST(ObjectiveList, ExhaustiveIsTheBestOfAllMappings) {
  for (const char* list : lists)
    for (const char* machine : machines)
      for (const char* app : apps) {
        Job job(app, machine, list);
        const PlaceResult found = place("exhaustive", job.asked());
        const Problem problem = checked_problem(job.asked());
        EXPECT_EQ(compare_costs(costs_of(problem, found.mapping), least_costs(job)), 0)
            << list << ", " << machine << ", " << app;
        EXPECT_EQ(found.further.size(), job.request.objective.then.size());
        EXPECT_TRUE(found.optimal && found.order_optimal);
      }
}

// Few mappings: exact is the oracle. More: it proves the first and never passes the rest.
TEST(ObjectiveList, ExactProvesTheFirst) {
  for (const char* list : lists)
    for (const char* app : {"ring:6", "stencil:2x3"}) {
      Job small(app, "torus:6", list);
      const PlaceResult expected = place("exhaustive", small.asked());
      const PlaceResult found = place("exact", small.asked());
      EXPECT_EQ(found.mapping, expected.mapping) << list << ", " << app;
      EXPECT_TRUE(found.order_optimal);
    }
  Job job("ring:8", "torus:4,slots=2", "offnode,hopbytes");
  const PlaceResult found = place("exact", job.asked());
  EXPECT_TRUE(found.optimal);
  EXPECT_EQ(found.value, 4);
  EXPECT_FALSE(found.order_optimal);
  EXPECT_FALSE(found.notes.empty());
}

// Any order of the nodes leaves 4 messages between them; in ring order each goes one hop.
TEST(ObjectiveList, LaterObjectivesDecideAmongEquals) {
  for (const char* strategy : {"exact", "multilevel"}) {
    Job job("ring:8", "torus:4,slots=2", "offnode,hopbytes");
    const PlaceResult found = place(strategy, job.asked());
    EXPECT_EQ(found.value, 4) << strategy;
    EXPECT_EQ(found.further.at(0), 4) << strategy;
  }
}

TEST(ObjectiveList, NoStrategyPassesTheOracle) {
  int jobs = 0;
  for (const char* list : lists)
    for (const char* machine : machines)
      for (const char* app : apps) {
        Job job(app, machine, list);
        const Problem problem = checked_problem(job.asked());
        const std::vector<double> least =
            costs_of(problem, place("exhaustive", job.asked()).mapping);
        for (const char* strategy : {"exact", "linear", "multilevel"}) {
          if (strategy == std::string("multilevel") && ++jobs % 6 != 0)
            continue;  // it takes longer
          const PlaceResult found = place(strategy, job.asked());
          EXPECT_GE(compare_costs(costs_of(problem, found.mapping), least), 0)
              << strategy << ", " << list << ", " << machine << ", " << app;
        }
      }
}

// From any start: fixed ranks stay, capacities hold, and the list is never worse; mostly better.
TEST(ObjectiveList, RefinementNeverWorsens) {
  Random random(9);
  int better = 0, rounds = 0;
  for (const char* list : lists)
    for (const char* machine : {"torus:4x3", "fattree:4:3,up=2", "flat:4,slots=4"}) {
      Job job("stencil:3x4,bytes=10", machine, list);
      job.request.fixed = {{3, 1}, {7, 5}};
      const Problem problem = checked_problem(job.asked());
      std::vector<SlotId> places = free_places(problem);
      random.shuffle(places);
      const Mapping start = fill_in_order(problem, places);
      const Mapping after = refine_list(problem, start, Deadline(std::nullopt));
      EXPECT_EQ(defect_of(after, job.machine, 1, {}), "");
      EXPECT_EQ(after[3], 1);
      EXPECT_EQ(after[7], 5);
      const int change = compare_costs(costs_of(problem, after), costs_of(problem, start));
      EXPECT_LE(change, 0) << list << ", " << machine;
      better += change < 0 ? 1 : 0;
      ++rounds;
    }
  EXPECT_GT(better, rounds / 2);
}

TEST(ObjectiveList, EffbwWithinAListNeedsNodesWithGpus) {
  Job job("ring:4", "torus:4", "congestion,effbw");
  EXPECT_THROW(place("linear", job.asked()), UsageError);
}

}  // namespace
}  // namespace rankmap::test
