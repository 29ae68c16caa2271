// The groups of a dragonfly on a page: a circle of groups, chords for what goes between them.
#pragma once

#include <span>
#include <string>

#include "libmap/machine/network/dragonfly.hpp"
#include "libmap/report/html/traffic.hpp"

namespace rankmap {

// nullptr: the machine's network is no dragonfly.
const Dragonfly* dragonfly_of(const Machine& machine);

// A picture a mapping, on one range of colours: the seconds of the busiest link, all phases,
// between two groups (chords, class "l") and inside one (circles, class "g"). A sentence where the
// groups are too many.
std::string dragonfly_section(const Machine& machine, std::span<const MappingTraffic> mappings);

}  // namespace rankmap
