// The words for kinds of hubs in files: "pcie_switch", "numa", "link_switch" ...
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libmap/machine/node_model.hpp"

namespace rankmap {

const char* name_of(HubKind kind);
std::optional<HubKind> hub_kind_of(std::string_view name);
std::vector<std::string> hub_kind_names();

}  // namespace rankmap
