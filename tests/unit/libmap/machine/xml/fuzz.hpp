// Damaged copies of a text, the same on every run: cut, with flipped bytes, with pieces repeated.
#pragma once

#include <string>

#include "libmap/base/random.hpp"

namespace rankmap::testing {

inline std::string damaged(const std::string& text, Random& random) {
  std::string copy = text;
  if (copy.empty()) return copy;
  const std::uint64_t how = random.below(4);
  if (how == 0) return copy.substr(0, random.below(copy.size()));
  if (how == 1) {
    const std::size_t from = random.below(copy.size());
    const std::string piece = copy.substr(from, random.below(200));
    return copy.insert(random.below(copy.size()), piece);
  }
  if (how == 2) return copy.erase(random.below(copy.size()), random.below(200));
  for (std::uint64_t flips = 1 + random.below(8); flips > 0; --flips)
    copy[random.below(copy.size())] = static_cast<char>(random.below(256));
  return copy;
}

inline std::string garbage(Random& random) {
  static const std::string alphabet = "<>/=\"' \n?!-abcdefgx0123456789&;[]";
  std::string text = "<system>";
  for (std::uint64_t length = random.below(400); length > 0; --length)
    text += alphabet[random.below(alphabet.size())];
  return text;
}

}  // namespace rankmap::testing
