#include "libmap/machine/xml/bus_id.hpp"

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <vector>

#include "libmap/base/text.hpp"

namespace rankmap {
namespace {

std::optional<std::uint32_t> parse_hex(std::string_view text) {
  std::uint32_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, 16);
  if (text.empty() || error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

}  // namespace

std::string bus_id_of(unsigned domain, unsigned bus, unsigned device, unsigned function) {
  char text[40];
  std::snprintf(text, sizeof text, "%04x:%02x:%02x.%x", domain, bus, device, function);
  return text;
}

std::string normal_bus_id(std::string_view text) {
  const std::string plain = to_lower(trim(text));
  std::vector<std::string_view> parts = split(plain, ':');
  if (parts.size() == 2) parts.insert(parts.begin(), "0");
  if (parts.size() != 3) return plain;
  const std::size_t dot = parts[2].find('.');
  const auto domain = parse_hex(parts[0]);
  const auto bus = parse_hex(parts[1]);
  const auto device = parse_hex(parts[2].substr(0, dot));
  const auto function = dot == std::string_view::npos ? std::optional<std::uint32_t>(0)
                                                      : parse_hex(parts[2].substr(dot + 1));
  if (!domain || !bus || !device || !function) return plain;
  return bus_id_of(*domain, *bus, *device, *function);
}

}  // namespace rankmap
