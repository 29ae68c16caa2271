// Numbers that name things. All count from 0; -1 means "none".
#pragma once

#include <cstdint>

namespace rankmap {

using Rank = std::int32_t;    // an MPI process number in MPI_COMM_WORLD
using SlotId = std::int32_t;  // a place of a machine that can hold a rank
using NodeId = std::int32_t;  // a host of a machine
using LinkId = std::int32_t;  // one direction of a physical connection of a machine

inline constexpr std::int32_t none = -1;

}  // namespace rankmap
