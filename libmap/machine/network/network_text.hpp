// The text of a NETWORK taken apart: KIND[:SIZES][,KEY=VALUE...], and the values of its keys read.
// A part without "=" behind a key goes on with the key's value: nodes=0-63,128-191.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libmap/base/units.hpp"

namespace rankmap {

class NetworkText {
 public:
  // UsageError: a key twice, a part that is neither sizes nor a key's.
  explicit NetworkText(const std::string& text);

  const std::string& text() const { return text_; }
  const std::string& kind() const { return kind_; }
  const std::string& sizes() const { return sizes_; }  // "8x8x8"; "" where none are given
  const std::string* value(std::string_view key) const;

  // UsageError unless every key is among these; its message lists them.
  void expect_keys(std::span<const std::string_view> known) const;
  // `found "8y8" in the network "torus:8y8", expected ...`
  [[noreturn]] void refuse(std::string_view found, const std::string& expected) const;

  // SIZES as whole numbers from 1 with this separator, their product at most 2^24; `example` is
  // shown where they are not.
  std::vector<int> extents(char separator, const std::string& example) const;
  std::optional<int> integer(std::string_view key, int low, int high) const;
  std::vector<int> integers(std::string_view key, char separator, int low, int high) const;
  // Numbers above 0 in GB/s: none given: `count` times the default; one: it for all; else `count`.
  std::vector<BytesPerSecond> bandwidths(std::string_view key, std::size_t count) const;
  // The index among the words, 0 where the key is not given.
  std::size_t choice(std::string_view key, std::span<const std::string_view> words) const;

 private:
  std::string key_text(std::string_view key) const;

  std::string text_;
  std::string kind_;
  std::string sizes_;
  std::vector<std::pair<std::string, std::string>> keys_;
};

}  // namespace rankmap
