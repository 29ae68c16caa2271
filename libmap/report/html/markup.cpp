#include "libmap/report/html/markup.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "libmap/base/text.hpp"

namespace rankmap {

std::string escaped(std::string_view text) {
  struct Entity {
    char character;
    std::string_view written;
  };
  constexpr std::array entities = {Entity{'&', "&amp;"}, Entity{'<', "&lt;"}, Entity{'>', "&gt;"},
                                   Entity{'"', "&quot;"}, Entity{'\'', "&#39;"}};
  std::string safe;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    const auto entity = std::find_if(entities.begin(), entities.end(),
                                     [&](const Entity& one) { return one.character == c; });
    if (entity != entities.end())
      safe += entity->written;
    else if (code < 0x20 || code == 0x7f)
      safe += "&#xfffd;";
    else
      safe += c;
  }
  return safe;
}

std::string short_number(double value) {
  if (value == 0 || !std::isfinite(value)) return "0";
  const double scale = std::pow(10.0, 3 - std::floor(std::log10(std::abs(value))));
  return format_real(std::round(value * scale) / scale);
}

std::string readable_bytes(double bytes) {
  constexpr std::array units = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < units.size()) {
    bytes /= 1000;
    ++unit;
  }
  char text[32];
  const int decimals = unit == 0 || bytes >= 99.95 ? 0 : (bytes >= 9.995 ? 1 : 2);
  std::snprintf(text, sizeof text, "%.*f %s", decimals, bytes, units[unit]);
  return text;
}

std::string colour_class(double value, double most) {
  if (value <= 0 || most <= 0) return "k0";
  const int step = static_cast<int>(std::ceil(value / most * colour_steps));
  return "k" + std::to_string(std::clamp(step, 1, colour_steps));
}

std::string_view colour_rules() {
  return ".k0{stroke:#e3e3e3;fill:#f4f4f4}.k1{stroke:#f2d98b;fill:#f2d98b}"
         ".k2{stroke:#efbf66;fill:#efbf66}.k3{stroke:#e9a352;fill:#e9a352}"
         ".k4{stroke:#de864c;fill:#de864c}.k5{stroke:#cb684f;fill:#cb684f}"
         ".k6{stroke:#ad4d5b;fill:#ad4d5b}.k7{stroke:#873865;fill:#873865}"
         ".k8{stroke:#5b2763;fill:#5b2763}.k9{stroke:#2a154d;fill:#2a154d}";
}

}  // namespace rankmap
