// The instances of the node-Cartesian mapping problem (von Kirchbach, Hunold et al.; Gropp).
#pragma once

#include <array>

namespace rankmap::test {

// The least number of directed edges between nodes that any published algorithm reaches.
struct CartesianInstance {
  const char* app;
  const char* machine;
  double best_known;
};

inline constexpr std::array cartesian_instances{
    CartesianInstance{"stencil:4x6", "flat:4,slots=6", 20},
    CartesianInstance{"stencil:16x16", "flat:16,slots=16", 192},
    CartesianInstance{"stencil:24x18", "flat:18,slots=24", 276},
    CartesianInstance{"stencil:16x24", "flat:24,slots=16", 304},
    CartesianInstance{"stencil:20x20", "flat:20,slots=20", 280},
    CartesianInstance{"stencil:18x21", "flat:21,slots=18", 300},
    CartesianInstance{"stencil:14x16", "flat:8,slots=28", 116},
    CartesianInstance{"stencil:6x6x6", "flat:27,slots=8", 432},
    CartesianInstance{"stencil:8x8x4", "flat:16,slots=16", 384},
    CartesianInstance{"stencil:8x8x6", "flat:12,slots=32", 448},
    CartesianInstance{"stencil:6x8x5", "flat:10,slots=24", 284}};

}  // namespace rankmap::test
