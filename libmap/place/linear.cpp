// Linear and random: mappings that look at capacities and fixed ranks only.

#include "libmap/base/random.hpp"
#include "libmap/place/places.hpp"
#include "libmap/place/strategies.hpp"
#include "libmap/place/trivial_bound.hpp"

namespace rankmap {
namespace {

PlaceResult scored(const Problem& problem, Mapping mapping) {
  PlaceResult result;
  result.value = problem.value(mapping);
  result.mapping = std::move(mapping);
  result.bound = trivial_bound(problem);
  return result;
}

}  // namespace

PlaceResult place_linear(const Problem& problem) {
  const Problem inner = on_first_node(problem);
  return scored(problem, fill_in_order(inner, free_places(inner)));
}

PlaceResult place_random(const Problem& problem) {
  const Problem inner = on_first_node(problem);
  std::vector<SlotId> places = free_places(inner);
  Random random(problem.seed);
  random.shuffle(places);
  return scored(problem, fill_in_order(inner, places));
}

}  // namespace rankmap
