// exact: chooses the search that fits the objective and the shape of the app.
#include "libmap/place/strategies.hpp"

namespace rankmap {

PlaceResult place_exact(const Problem& problem) {
  return place_exhaustive(problem);
}

}  // namespace rankmap
