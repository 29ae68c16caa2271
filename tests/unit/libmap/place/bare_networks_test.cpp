// exact and the limits of other strategies on bare networks, against exhaustive.
#include <gtest/gtest.h>

#include <cmath>

#include "libmap/machine/machine_spec.hpp"
#include "place_cases.hpp"

namespace rankmap::test {
namespace {

const ObjectiveKind kinds[] = {ObjectiveKind::congestion, ObjectiveKind::hopbytes,
                               ObjectiveKind::offnode};

void compare(const char* spec, bool proven) {
  Random random(23);
  const Machine machine = read_machine(spec, {});
  for (const ObjectiveKind kind : kinds) {
    for (int i = 0; i < 8; ++i) {
      const CommGraph app = random_app(random, static_cast<Rank>(2 + random.below(5)));
      if (app.ranks() > machine.slots()) continue;
      PlaceRequest request;
      request.app = &app;
      request.machine = &machine;
      request.objective.kind = kind;
      const PlaceResult expected = place("exhaustive", request);
      const PlaceResult found = place("exact", request);
      const double best = expected.value.value();
      SCOPED_TRACE(std::string(spec) + " " + row_of(kind).name + " case " + std::to_string(i));
      EXPECT_LE(found.bound.value(), best * (1 + 1e-9));
      EXPECT_GE(found.value.value(), best * (1 - 1e-9));
      if (!proven) continue;
      EXPECT_TRUE(found.optimal);
      EXPECT_NEAR(*found.value, best, 1e-9 * std::abs(best));
    }
  }
}

TEST(BareNetworks, ExactProvesTheOptimumWhereRoutesAreSingle) {
  for (const char* spec :
       {"torus:3x2,tie=plus", "torus:5,slots=1", "mesh:2x3", "flat:3,slots=2", "mesh:2x2,slots=2",
        "tree:2:3", "fattree:2:3,routing=dmodk,up=2", "nvlink:3,slots=2"})
    compare(spec, true);
}

TEST(BareNetworks, ClaimsNothingWhereBytesAreSpreadOrDistancesAreTold) {
  for (const char* spec :
       {"torus:4", "torus:2x3", "torus:3x2,routing=minpath", "tree:2:3,distance=1:7",
        "fattree:2:3,up=2", "dragonfly:groups=3,routers=2,nodes=1,global=1,routing=valiant"})
    compare(spec, false);
}

}  // namespace
}  // namespace rankmap::test
