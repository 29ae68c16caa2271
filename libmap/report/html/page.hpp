// One self-contained HTML page, and one SVG, about mappings of an app on a machine side by side.
#pragma once

#include <span>
#include <string>

#include "libmap/report/html/traffic.hpp"

namespace rankmap {

// Scores, torus minimaps where the machine is a torus or mesh, hottest links with the rank pairs
// that load them, and the matrix of the ranks. No network, no file beside it; every name is
// escaped. What is too large to be drawn is said in a sentence. O(nodes x axes^2 x phases x
// mappings).
std::string html_page(const CommGraph& app, const Machine& machine,
                      std::span<const MappingTraffic> mappings);

// A machine by itself: a node drawn with its links, the bandwidths between its slots, and the
// tables of machine_text().
std::string html_machine_page(const Machine& machine);
// The picture of a node alone. Infeasible: it is not drawn.
std::string node_svg(const Machine& machine);

// The minimaps alone, all phases, one row a mapping. Infeasible: the machine is no torus or mesh,
// or too large to be drawn.
std::string traffic_svg(const Machine& machine, std::span<const MappingTraffic> mappings);

}  // namespace rankmap
