#include "libmap/machine/xml/xgmi_speeds.hpp"

#include <array>
#include <string>

#include "libmap/base/text.hpp"

namespace rankmap {
namespace {

struct XgmiRow {
  std::string_view word;  // in the lower-case text
  LinkSpeed speed;
};
constexpr std::array rows = {
    XgmiRow{"906", {46, 24}},     XgmiRow{"908", {46, 24}},   XgmiRow{"910", {50, 36}},
    XgmiRow{"90a", {50, 36}},     XgmiRow{"940", {64, 48}},   XgmiRow{"941", {64, 48}},
    XgmiRow{"942", {64, 48}},     XgmiRow{"950", {76.5, 48}}, XgmiRow{"mi50", {46, 24}},
    XgmiRow{"mi60", {46, 24}},    XgmiRow{"mi100", {46, 24}}, XgmiRow{"mi200", {50, 36}},
    XgmiRow{"mi210", {50, 36}},   XgmiRow{"mi250", {50, 36}}, XgmiRow{"mi300", {64, 48}},
    XgmiRow{"mi308", {64, 48}},   XgmiRow{"mi325", {64, 48}}, XgmiRow{"mi350", {76.5, 48}},
    XgmiRow{"mi355", {76.5, 48}},
};

}  // namespace

LinkSpeed xgmi_speed_of(std::string_view gcn_or_name) {
  const std::string text = to_lower(gcn_or_name);
  for (const XgmiRow& row : rows)
    if (text.find(row.word) != std::string::npos) return row.speed;
  return {0, 0};
}

}  // namespace rankmap
