// Bandwidths of one xGMI link of AMD GPUs, one direction: vendor's figure and RCCL's model.
#pragma once

#include <string_view>

#include "libmap/machine/link_speeds.hpp"

namespace rankmap {

// From RCCL's gcn attribute ("906", "90a", "gfx942") or a model name ("AMD INSTINCT MI250X");
// {0, 0}: unknown. Source: the olcf and lumi guides, AMD's tables, RCCL's topo.h constants.
LinkSpeed xgmi_speed_of(std::string_view gcn_or_name);

// For GPUs that nothing is known of: as MI250X.
inline constexpr LinkSpeed assumed_xgmi_speed = {50, 36};

}  // namespace rankmap
