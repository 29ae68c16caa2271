// A search over box scripts: orders of the machine's places, tiles of the app onto tiles of the
// machine, then tilts and other orders inside the tiles for the best of them. What is found is a
// script that a person can read and keep.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "libmap/place/box/script.hpp"

namespace rankmap {

struct FoundScript {
  std::string text;
  std::vector<double> costs;  // as given by `costs_of`
  std::int64_t tried = 0;     // scripts that were valued
};

// The script whose costs are the least, compared in order; the first of equals. `app` and
// `machine`: extents with equal products. Values at most `most_scripts` of them, >= 1; stops early
// when `stop` says so. The rank on each cell of the machine's box is found by running the script,
// so that its text says all. Deterministic.
FoundScript search_scripts(std::span<const std::int64_t> app, std::span<const std::int64_t> machine,
                           std::int64_t most_scripts,
                           const std::function<std::vector<double>(const Box&)>& costs_of,
                           const std::function<bool()>& stop);

}  // namespace rankmap
