// Apps, random machines and random requests for the tests of strategies.
#pragma once

#include <string>
#include <vector>

#include "libmap/base/random.hpp"
#include "libmap/place/strategy.hpp"

namespace rankmap::test {

// One node of `gpus` GPUs: 0 to 3 NVLink lanes of unequal sparsity between pairs, one to three PCIe
// hubs under one root, NUMA nodes and NICs at random; or, one time in eight, a link switch.
NodeModel random_node(Random& random, int gpus);

// A ring, chain, star, binary tree, clique, stencil, random graph (with weights, bytes and phases) or
// silence on that many ranks.
CommGraph random_app(Random& random, Rank ranks);

// Busy slots, fixed ranks and ranks per slot at random; always feasible.
struct RandomCase {
  CommGraph app;
  Machine machine;
  PlaceRequest request;  // app and machine are set by request_of()

  const PlaceRequest& request_of() {
    request.app = &app;
    request.machine = &machine;
    return request;
  }
};
RandomCase random_case(Random& random, Objective objective, int gpus, NodeId nodes,
                       Rank most_ranks);

}  // namespace rankmap::test
