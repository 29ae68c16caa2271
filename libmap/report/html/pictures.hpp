// SVG pictures of a page: torus minimaps, the matrix of the ranks, the scale of colours.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "libmap/graph/comm_graph.hpp"
#include "libmap/report/html/torus_views.hpp"

namespace rankmap {

// <g> of one minimap with its axes named; lines coloured by their mean of both directions on a
// scale up to `most`. Every line has class "l", every point class "n".
std::string minimap(const TorusView& view, std::span<const ViewLine> lines, double most);
int minimap_width(const TorusView& view);
int minimap_height(const TorusView& view);

// "0 to 1.2 MB" under its colours.
std::string colour_legend(const std::string& low, const std::string& high);

// <svg>: bytes from each rank (row) to each rank (column), all phases, at most `cells` a side, with
// a sentence that says how many ranks a cell is. Equal steps of the logarithm.
std::string rank_matrix(const CommGraph& app, Rank cells = 64);

}  // namespace rankmap
