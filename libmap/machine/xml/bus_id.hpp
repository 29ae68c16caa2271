// PCI addresses in the one spelling that the whole program uses.
#pragma once

#include <string>
#include <string_view>

namespace rankmap {

// "00000000:06:00.0", "0000:06:00.0", "06:00.0", in any case -> "0000:06:00.0": lower case, the
// domain in four digits or, where it needs more (VMD domains), in as many as it needs. Anything
// that is not such an address comes back trimmed and in lower case.
std::string normal_bus_id(std::string_view text);

// From the numbers that libraries give.
std::string bus_id_of(unsigned domain, unsigned bus, unsigned device, unsigned function);

}  // namespace rankmap
