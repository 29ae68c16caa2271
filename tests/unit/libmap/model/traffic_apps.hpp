// The patterns of tests/golden/traffic as graphs, written from its README and not from patterns/.
#pragma once

#include <nlohmann/json.hpp>

#include "libmap/graph/comm_graph.hpp"

namespace rankmap::test {

CommGraph traffic_app(const nlohmann::json& pattern);

// The graph of each group of an alltoall.
std::vector<CommGraph> traffic_groups(const nlohmann::json& pattern);

}  // namespace rankmap::test
