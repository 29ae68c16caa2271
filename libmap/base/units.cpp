#include "libmap/base/units.hpp"

#include <array>
#include <cmath>

#include "libmap/base/text.hpp"

namespace rankmap {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};
constexpr double kibi = 1024.0;
constexpr std::array units = {
    Unit{"", 1},
    Unit{"b", 1},
    Unit{"k", kibi},
    Unit{"kib", kibi},
    Unit{"kb", 1e3},
    Unit{"m", kibi* kibi},
    Unit{"mib", kibi* kibi},
    Unit{"mb", 1e6},
    Unit{"g", kibi* kibi* kibi},
    Unit{"gib", kibi* kibi* kibi},
    Unit{"gb", 1e9},
    Unit{"t", kibi* kibi* kibi* kibi},
    Unit{"tib", kibi* kibi* kibi* kibi},
    Unit{"tb", 1e12},
};
constexpr double largest = 9.2e18;

}  // namespace

std::optional<Bytes> parse_bytes(std::string_view text) {
  text = trim(text);
  const std::size_t end = text.find_first_not_of("0123456789.");
  const std::string_view number = text.substr(0, end);
  const std::string unit =
      to_lower(trim(end == std::string_view::npos ? std::string_view{} : text.substr(end)));
  for (const Unit& row : units) {
    if (row.name != unit) continue;
    if (const auto whole = parse_unsigned(number); whole && row.factor == 1)
      return *whole <= static_cast<Bytes>(largest) ? std::optional<Bytes>(*whole) : std::nullopt;
    const std::optional<double> value = parse_real(number);
    if (!value) return std::nullopt;
    const double bytes = *value * row.factor;
    if (bytes > largest || bytes != std::floor(bytes)) return std::nullopt;
    return static_cast<Bytes>(bytes);
  }
  return std::nullopt;
}

std::string format_bytes(Bytes bytes) {
  constexpr std::array<std::string_view, 5> names = {"", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (bytes != 0 && bytes % 1024 == 0 && unit + 1 < names.size()) {
    bytes /= 1024;
    ++unit;
  }
  return std::to_string(bytes) + std::string(names[unit]);
}

BytesPerSecond from_gbps(double gbps) {
  return static_cast<BytesPerSecond>(std::llround(gbps * giga));
}

double to_gbps(BytesPerSecond bandwidth) {
  return static_cast<double>(bandwidth) / giga;
}

}  // namespace rankmap
