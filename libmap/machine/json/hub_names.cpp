#include "libmap/machine/json/hub_names.hpp"

#include <array>

namespace rankmap {
namespace {

// In the order of HubKind.
constexpr std::array names = {"pcie_switch", "host_bridge", "numa", "package",
                              "system",      "link_switch", "nic"};

}  // namespace

const char* name_of(HubKind kind) {
  return names[static_cast<std::size_t>(kind)];
}

std::optional<HubKind> hub_kind_of(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<HubKind>(i);
  return std::nullopt;
}

std::vector<std::string> hub_kind_names() {
  return {names.begin(), names.end()};
}

}  // namespace rankmap
