// A JSON text as a tree whose every value knows where it stands, so that what is wrong in meaning
// is told with line and column as exactly as what is wrong in form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rankmap {

struct JsonMember;

struct JsonValue {
  enum class Kind : std::uint8_t { null, boolean, integer, real, string, array, object };
  Kind kind = Kind::null;
  std::size_t offset = 0;  // of its first byte
  bool boolean = false;
  std::int64_t integer = 0;           // kind integer
  double real = 0;                    // kinds integer and real
  std::string text{};                 // kind string
  std::vector<JsonMember> members{};  // kinds array (keys are "") and object, in written order
};

struct JsonMember {
  std::string key;
  std::size_t key_offset = 0;
  JsonValue value;
};

class JsonDocument {
 public:
  // Limits: max_bytes, max_depth, max_values; no key twice in one object. InputError beyond them
  // and for what is not JSON. The text must outlive the document. O(size).
  static constexpr std::size_t max_bytes = 8U << 20;
  static constexpr std::size_t max_depth = 16;
  static constexpr std::size_t max_values = 1U << 20;
  JsonDocument(std::string_view text, std::string source);

  const JsonValue& root() const { return root_; }
  const std::string& source() const { return source_; }
  [[noreturn]] void fail(std::size_t offset, const std::string& message) const;
  [[noreturn]] void fail(const JsonValue& value, const std::string& message) const {
    fail(value.offset, message);
  }
  // "FILE:LINE:COLUMN: message", for warnings.
  std::string locate(std::size_t offset, const std::string& message) const;

  // The member of that key, or nullptr; null counts as absent.
  static const JsonValue* find(const JsonValue& object, std::string_view key);

  // Typed access to a member; absent (or null): nullopt. Of another kind, out of range: InputError
  // that names the key.
  std::optional<std::string> string(const JsonValue& object, std::string_view key) const;
  std::optional<std::int64_t> integer(const JsonValue& object, std::string_view key,
                                      std::int64_t least, std::int64_t most) const;
  std::optional<double> real(const JsonValue& object, std::string_view key, double above,
                             double most) const;
  std::optional<bool> boolean(const JsonValue& object, std::string_view key) const;
  // The members of an array of at most `most` elements; nullptr: absent.
  const std::vector<JsonMember>* array(const JsonValue& object, std::string_view key,
                                       std::size_t most) const;
  void expect_object(const JsonValue& value, std::string_view what) const;
  void expect_string(const JsonValue& value, std::string_view what) const;

 private:
  std::string_view text_;
  std::string source_;
  JsonValue root_;
};

// "a number", "an object" ..., for messages.
const char* name_of(JsonValue::Kind kind);

}  // namespace rankmap
