#include "libmap/machine/network/network_text.hpp"

#include <algorithm>
#include <limits>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/machine/complete_model.hpp"

namespace rankmap {
namespace {

constexpr std::int64_t most_nodes = std::int64_t{1} << 24;
constexpr double least_gbps = 1e-9;  // a byte a second
constexpr double most_gbps = 1e6;

std::string range(int low, int high) {
  if (high == std::numeric_limits<int>::max()) return "a whole number from " + std::to_string(low);
  return "a whole number from " + std::to_string(low) + " to " + std::to_string(high);
}

std::optional<int> integer_of(std::string_view word, int low, int high) {
  const std::optional<std::int64_t> number = parse_integer(word);
  if (!number || *number < low || *number > high) return std::nullopt;
  return static_cast<int>(*number);
}

std::string listed(std::span<const std::string_view> words) {
  return join({words.begin(), words.end()}, ", ");
}

}  // namespace

NetworkText::NetworkText(const std::string& text) : text_(text) {
  kind_ = text.substr(0, text.find_first_of(":,"));
  if (kind_.size() == text.size()) return;
  const std::vector<std::string_view> parts =
      split(std::string_view(text).substr(kind_.size() + 1), ',');
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    if (equals != std::string_view::npos) {
      const std::string key(parts[i].substr(0, equals));
      if (value(key) != nullptr) refuse(key + "=", "each key once");
      keys_.emplace_back(key, parts[i].substr(equals + 1));
    } else if (!keys_.empty()) {
      keys_.back().second += "," + std::string(parts[i]);
    } else if (i == 0 && text[kind_.size()] == ':' && !parts[i].empty()) {
      sizes_ = parts[i];
    } else {
      refuse(parts[i], "KEY=VALUE");
    }
  }
}

const std::string* NetworkText::value(std::string_view key) const {
  for (const auto& [name, value] : keys_)
    if (name == key) return &value;
  return nullptr;
}

void NetworkText::refuse(std::string_view found, const std::string& expected) const {
  throw UsageError("found " + rankmap::quoted(found) + " in the network " + rankmap::quoted(text_) +
                   ", expected " + expected);
}

std::string NetworkText::key_text(std::string_view key) const {
  return std::string(key) + "=" + *value(key);
}

void NetworkText::expect_keys(std::span<const std::string_view> known) const {
  for (const auto& [name, value] : keys_)
    if (std::find(known.begin(), known.end(), name) == known.end())
      refuse(name + "=" + value, "one of the keys " + listed(known));
}

std::vector<int> NetworkText::extents(char separator, const std::string& example) const {
  std::vector<int> extents;
  std::int64_t product = 1;
  if (sizes_.empty()) refuse(kind_, "sizes as in " + example);
  for (const std::string_view word : split(sizes_, separator)) {
    const std::optional<int> extent = integer_of(word, 1, static_cast<int>(most_nodes));
    if (!extent) refuse(sizes_, "whole numbers from 1 as in " + example);
    product *= *extent;
    if (product > most_nodes)
      refuse(sizes_, "at most " + std::to_string(most_nodes) + " places in all");
    extents.push_back(*extent);
  }
  return extents;
}

std::optional<int> NetworkText::integer(std::string_view key, int low, int high) const {
  if (value(key) == nullptr) return std::nullopt;
  const std::optional<int> number = integer_of(*value(key), low, high);
  if (!number) refuse(key_text(key), range(low, high));
  return number;
}

std::vector<int> NetworkText::integers(std::string_view key, char separator, int low,
                                       int high) const {
  std::vector<int> numbers;
  if (value(key) == nullptr) return numbers;
  for (const std::string_view word : split(*value(key), separator)) {
    const std::optional<int> number = integer_of(word, low, high);
    if (!number)
      refuse(key_text(key), range(low, high) + ", or several with '" + separator + "' between");
    numbers.push_back(*number);
  }
  return numbers;
}

std::vector<BytesPerSecond> NetworkText::bandwidths(std::string_view key, std::size_t count) const {
  if (value(key) == nullptr) return std::vector<BytesPerSecond>(count, from_gbps(assumed_nic_gbps));
  std::vector<BytesPerSecond> numbers;
  for (const std::string_view word : split(*value(key), ':')) {
    const std::optional<double> gbps = parse_real(word);
    if (!gbps || *gbps < least_gbps || *gbps > most_gbps)
      refuse(key_text(key), "GB/s above 0 and at most 1e6");
    numbers.push_back(from_gbps(*gbps));
  }
  if (numbers.size() == 1) numbers.resize(count, numbers.front());
  if (numbers.size() != count)
    refuse(key_text(key), "one number or " + std::to_string(count) + " with ':' between");
  return numbers;
}

std::size_t NetworkText::choice(std::string_view key,
                                std::span<const std::string_view> words) const {
  if (value(key) == nullptr) return 0;
  const auto found = std::find(words.begin(), words.end(), *value(key));
  if (found == words.end()) refuse(key_text(key), "one of " + listed(words));
  return static_cast<std::size_t>(found - words.begin());
}

}  // namespace rankmap
