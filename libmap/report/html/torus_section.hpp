// The minimaps of a page: one row a mapping, one column a pair of axes, one range of colours.
#pragma once

#include <span>
#include <string>

#include "libmap/report/html/torus_views.hpp"
#include "libmap/report/html/traffic.hpp"

namespace rankmap {

// nullptr: the machine's network is no torus or mesh.
const Torus* torus_of(const Machine& machine);
// Why the minimaps of this torus are not drawn: "" where they are.
std::string too_large_to_draw(const Torus& torus);

// With controls and data for the page's script. The torus must not be too large.
std::string torus_section(const CommGraph& app, const Machine& machine,
                          std::span<const MappingTraffic> mappings);
// The same as one SVG, all phases.
std::string torus_svg(const Machine& machine, std::span<const MappingTraffic> mappings);

}  // namespace rankmap
