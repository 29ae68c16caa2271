// An NCCL topology document while it is read: attributes with positions, devices, the assembly.
#pragma once

#include <map>
#include <optional>
#include <pugixml.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "libmap/machine/xml/node_assembly.hpp"

namespace rankmap {

// The text and how errors name it.
struct NcclSource {
  std::string_view text;
  const std::string& name;

  [[noreturn]] void refuse(const pugi::xml_node& node, const std::string& message) const;
  // An integer attribute in first..last; nullopt if absent or empty; InputError otherwise.
  std::optional<int> integer(const pugi::xml_node& node, const char* attribute, int first,
                             int last) const;
};

struct NcclGpu {
  pugi::xml_node pci;
  pugi::xml_node gpu;  // empty in static files
  int hub = none;      // of its <cpu>
  Gpu row;
  Uplink up;
};

// Adds the nvlink and xgmi links of the GPUs, which stand in the assembly in the same order. A link
// that both ends tell is one; one that a single end tells is taken, with a warning.
void add_nccl_links(const NcclSource& source, const std::vector<NcclGpu>& gpus,
                    NodeAssembly& assembly);

}  // namespace rankmap
