// The kinds of values that a machine file is made of, read out of a located JSON text.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "libmap/base/cpu_set.hpp"
#include "libmap/machine/json/located_json.hpp"
#include "libmap/machine/node_model.hpp"

namespace rankmap {

// Absent and null values are nullopt or ""; what is there but wrong is an InputError with its place.
class MachineDocument : public JsonDocument {
 public:
  using JsonDocument::JsonDocument;

  const JsonValue& object(const JsonMember& element, std::string_view what) const;
  template <typename T>
  T required(std::optional<T> value, const JsonValue& object, std::string_view key) const {
    if (!value) fail_missing(object, key);
    return *std::move(value);
  }
  // An OS number of 0..65535; absent: none.
  int number(const JsonValue& object, std::string_view key) const;
  std::optional<CpuSet> cpu_list(const JsonValue& object, std::string_view key) const;
  // Text without control characters, of at most 2048 bytes.
  std::string printable(const JsonValue& object, std::string_view key) const;
  // Without blanks too, and of at most 128 bytes.
  std::optional<std::string> word(const JsonValue& object, std::string_view key) const;
  std::string word_of(const JsonValue& value) const;
  std::string bus_id(const JsonValue& object) const;

  // A warning for every key that is neither known nor a comment; after twenty, silence.
  void warn_unknown(const JsonValue& object, std::initializer_list<std::string_view> known,
                    NodeModel& model);
  [[noreturn]] void fail_unknown(const JsonValue& value, std::string_view what,
                                 const std::vector<std::string>& expected) const;

 private:
  [[noreturn]] void fail_missing(const JsonValue& object, std::string_view key) const;
  int unknown_keys_ = 0;
};

}  // namespace rankmap
