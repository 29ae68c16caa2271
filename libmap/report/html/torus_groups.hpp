// The communicators of an app on the minimaps of a torus: which of the lines each of them uses.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "libmap/report/html/torus_views.hpp"
#include "libmap/report/html/traffic.hpp"

namespace rankmap {

// A choice of the communicators that are told, and their lines as data for the page's script:
// [communicator][mapping]: numbers of lines, in the order of the picture. "" where the app has
// none. At most 256 communicators and 200,000 numbers; that some are left out is said.
// O(communicators x links x axes).
std::string group_controls(const CommGraph& app, const Machine& machine, const Torus& torus,
                           std::span<const MappingTraffic> mappings);

}  // namespace rankmap
