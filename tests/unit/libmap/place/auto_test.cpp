// The strategies `auto` and `greedy`: whom auto asks, what it keeps, and what greedy must never break.
#include <gtest/gtest.h>

#include "libmap/base/error.hpp"
#include "libmap/machine/machine_spec.hpp"
#include "patterns/pattern.hpp"
#include "tests/unit/libmap/place/place_cases.hpp"

namespace rankmap::test {
namespace {

struct Case {
  CommGraph app;
  Machine machine;
  PlaceRequest request;

  Case(const std::string& app_text, const std::string& machine_text, ObjectiveKind objective)
      : app(read_app(app_text)), machine(read_machine(machine_text, shared_machines())) {
    request.objective.kind = objective;
  }

  static MachineOptions shared_machines() {
    MachineOptions options;
    options.share_directory = RANKMAP_SOURCE_DIR "/share";
    return options;
  }

  PlaceResult placed(const char* strategy) {
    request.app = &app;
    request.machine = &machine;
    return place(strategy, request);
  }
};

TEST(Auto, ProvesWhatExactProves) {
  Case one("ring:4", "dgx1-v100", ObjectiveKind::effbw);
  const PlaceResult found = one.placed("auto"), proven = one.placed("exact");
  EXPECT_EQ(found.strategy, "exact");
  EXPECT_EQ(found.mapping, proven.mapping);
  EXPECT_TRUE(found.optimal);
}

TEST(Auto, TakesTheBestOfItsStrategies) {
  Case one("stencil:16x32,periodic", "torus:8x8x8", ObjectiveKind::hopbytes);
  one.request.quality = Quality::fast;
  const PlaceResult found = one.placed("auto");
  for (const char* other : {"linear", "greedy", "cartesian", "multilevel"})
    EXPECT_LE(found.value.value(), one.placed(other).value.value()) << other;
  EXPECT_EQ(one.placed(found.strategy.c_str()).value, found.value);
}

TEST(Auto, HasAnAnswerWithoutTime) {
  Case one("random:200,degree=4", "torus:6x6x6", ObjectiveKind::congestion);
  one.request.time_limit_seconds = 0;
  const PlaceResult found = one.placed("auto");
  EXPECT_EQ(defect_of(found.mapping, one.machine, 1, {}), "");
  EXPECT_LE(found.value.value(), one.placed("linear").value.value());
}

TEST(Auto, TellsItsSteps) {
  Case one("random:60,degree=4", "tree:4:8:4", ObjectiveKind::offnode);
  std::vector<std::string> told;
  std::optional<double> last;
  one.request.progress = [&](const PlaceProgress& progress) {
    told.push_back(std::string(progress.strategy) +
                   (progress.quality ? std::string(" ") + name_of(*progress.quality) : ""));
    if (progress.value && last) {
      EXPECT_LE(*progress.value, *last);
    }
    last = progress.value;
  };
  one.request.quality = Quality::fast;
  one.placed("auto");
  EXPECT_EQ(told, (std::vector<std::string>{"linear", "greedy", "multilevel fast"}));
  told.clear();
  one.request.quality.reset();
  one.placed("auto");
  EXPECT_EQ(told, (std::vector<std::string>{"linear", "greedy", "multilevel medium"}));
  told.clear();
  one.request.time_limit_seconds = 1000;
  one.request.quality = Quality::medium;
  one.placed("auto");
  EXPECT_EQ(told,
            (std::vector<std::string>{"linear", "greedy", "multilevel fast", "multilevel medium"}));
}

TEST(Auto, KeepsTheDefaultOrderWhereLittleIsGained) {
  Case one("stencil:16x16", "flat:16,slots=16", ObjectiveKind::offnode);
  const double linear = one.placed("linear").value.value();
  const PlaceResult best = one.placed("auto");
  ASSERT_LT(best.value.value(), linear);
  one.request.min_gain = linear / best.value.value() - 1 + 0.01;
  const PlaceResult kept = one.placed("auto");
  EXPECT_EQ(kept.strategy, "linear");
  EXPECT_EQ(kept.value, linear);
  EXPECT_FALSE(kept.notes.empty());
  one.request.min_gain = linear / best.value.value() - 1 - 0.01;
  EXPECT_EQ(one.placed("auto").value, best.value);
}

TEST(Auto, QualitiesHaveNames) {
  for (const Quality quality : {Quality::fast, Quality::medium, Quality::strong})
    EXPECT_EQ(quality_named(name_of(quality)), quality);
  EXPECT_THROW(quality_named("slow"), UsageError);
}

TEST(Greedy, PutsPairsTogether) {
  Case one("shift:8,by=4,bytes=100", "flat:4,slots=2", ObjectiveKind::offnode);
  EXPECT_EQ(one.placed("greedy").value, 0.0);
  EXPECT_GT(one.placed("linear").value.value(), 0);
}

TEST(Greedy, FollowsAHiddenChain) {
  Case one("chain:64", "tree:4:4:4", ObjectiveKind::hopbytes);
  std::vector<Rank> name(64);
  for (Rank rank = 0; rank < 64; ++rank) name[static_cast<std::size_t>(rank)] = rank;
  Random random(3);
  random.shuffle(name);
  GraphBuilder builder(64);
  for (Edge edge : one.app.edges()) {
    edge.source = name[static_cast<std::size_t>(edge.source)];
    edge.destination = name[static_cast<std::size_t>(edge.destination)];
    builder.add(edge);
  }
  one.app = std::move(builder).build("hidden chain");
  EXPECT_LT(one.placed("greedy").value.value(), 0.6 * one.placed("linear").value.value());
}

TEST(Greedy, StaysWithinRandomRequests) {
  Random random(29);
  for (const ObjectiveKind kind : {ObjectiveKind::hopbytes, ObjectiveKind::congestion,
                                   ObjectiveKind::offnode, ObjectiveKind::aggbw}) {
    for (int i = 0; i < 40; ++i) {
      RandomCase one = random_case(random, Objective{kind}, 4, 2, 6);
      PlaceRequest request = one.request_of();
      for (const char* strategy : {"greedy", "auto"}) {
        const PlaceResult found = place(strategy, request);
        EXPECT_EQ(defect_of(found.mapping, one.machine, request.ranks_per_slot, request.forbidden),
                  "");
        for (const auto& [rank, slot] : request.fixed) EXPECT_EQ(found.mapping[rank], slot);
        if (!found.value) continue;
        const double linear = place("linear", request).value.value();
        const bool is_wider = kind == ObjectiveKind::aggbw;
        EXPECT_GE(is_wider ? found.value.value() : linear,
                  (is_wider ? linear : found.value.value()) * (1 - 1e-12));
      }
    }
  }
}

}  // namespace
}  // namespace rankmap::test
