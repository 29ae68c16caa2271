// Builds the located tree from nlohmann's event parser: the input iterator counts the bytes, and
// the place of a value is the first byte after the punctuation behind the previous event.
#include "libmap/machine/json/located_json.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"

namespace rankmap {
namespace {

using nlohmann::json;

// Reads the text and leaves the number of bytes read where the event handler sees it.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* place, const char* begin, std::size_t* read)
      : place_(place), begin_(begin), read_(read) {}
  reference operator*() const { return *place_; }
  CountingIterator& operator++() {
    ++place_;
    *read_ = static_cast<std::size_t>(place_ - begin_);
    return *this;
  }
  bool operator==(const CountingIterator& other) const { return place_ == other.place_; }
  bool operator!=(const CountingIterator& other) const { return place_ != other.place_; }

 private:
  const char* place_;
  const char* begin_;
  std::size_t* read_;
};

class TreeBuilder : public json::json_sax_t {
 public:
  using Kind = JsonValue::Kind;

  TreeBuilder(const JsonDocument& document, std::string_view text, JsonValue& root)
      : document_(document), text_(text), root_(root) {}
  std::size_t* bytes_read() { return &bytes_read_; }

  bool null() override { return add({}); }
  bool boolean(bool value) override { return add({.kind = Kind::boolean, .boolean = value}); }
  bool number_integer(number_integer_t value) override { return add_integer(value); }
  bool number_unsigned(number_unsigned_t value) override {
    if (value > static_cast<number_unsigned_t>(INT64_MAX))
      return number_float(static_cast<double>(value), "");
    return add_integer(static_cast<std::int64_t>(value));
  }
  bool number_float(number_float_t value, const string_t&) override {
    return add({.kind = Kind::real, .real = value});
  }
  bool string(string_t& value) override {
    return add({.kind = Kind::string, .text = std::move(value)});
  }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Kind::object); }
  bool start_array(std::size_t) override { return open(Kind::array); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& value) override {
    key_offset_ = place_of_event();
    if (!keys_.back().insert(value).second)
      document_.fail(key_offset_,
                     "the key " + rankmap::quoted(value) + " stands twice in one object");
    key_ = std::move(value);
    return true;
  }

  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception& error) override {
    (void)token;
    const std::string what = error.what();
    const std::size_t reason = what.find("; ");
    document_.fail(position > 0 ? position - 1 : 0,
                   "this is not JSON: " + (reason == what.npos ? "found something unexpected"
                                                               : what.substr(reason + 2)));
  }

 private:
  // Numbers are read one byte too far, which the punctuation before the next event makes good.
  std::size_t place_of_event() {
    constexpr std::string_view between = " \t\r\n,:";
    std::size_t place = std::min(previous_end_, text_.size());
    while (place < text_.size() && between.find(text_[place]) != between.npos) ++place;
    const bool after_number = bytes_read_ > 0 && is_number_;
    previous_end_ = after_number ? bytes_read_ - 1 : bytes_read_;
    is_number_ = false;
    return place;
  }

  bool add_integer(std::int64_t value) {
    return add({.kind = Kind::integer, .integer = value, .real = static_cast<double>(value)});
  }

  JsonValue& place_value(JsonValue value) {
    is_number_ = value.kind == Kind::integer || value.kind == Kind::real;
    value.offset = place_of_event();
    if (++values_ > JsonDocument::max_values)
      document_.fail(value.offset, "more than " + std::to_string(JsonDocument::max_values) +
                                       " values in one text");
    if (open_.empty()) return root_ = std::move(value);
    open_.back()->members.push_back({std::move(key_), key_offset_, std::move(value)});
    key_.clear();
    return open_.back()->members.back().value;
  }

  bool add(JsonValue value) {
    place_value(std::move(value));
    return true;
  }

  bool open(Kind kind) {
    JsonValue& value = place_value({.kind = kind});
    if (open_.size() >= JsonDocument::max_depth)
      document_.fail(value, "nested deeper than " + std::to_string(JsonDocument::max_depth));
    open_.push_back(&value);
    keys_.emplace_back();
    return true;
  }

  bool close() {
    open_.pop_back();
    keys_.pop_back();
    previous_end_ = bytes_read_;
    return true;
  }

  const JsonDocument& document_;
  std::string_view text_;
  JsonValue& root_;
  std::vector<JsonValue*> open_;             // from the root to the innermost open one
  std::vector<std::set<std::string>> keys_;  // seen in each open value
  std::string key_;
  std::size_t key_offset_ = 0;
  std::size_t bytes_read_ = 0;
  std::size_t previous_end_ = 0;
  std::size_t values_ = 0;
  bool is_number_ = false;
};

TextPosition position_of(std::string_view text, const std::string& source, std::size_t offset) {
  TextPosition where{source, 1, 1};
  for (const char c : text.substr(0, offset)) {
    where.column = c == '\n' ? 1 : where.column + 1;
    if (c == '\n') ++where.line;
  }
  return where;
}

}  // namespace

const char* name_of(JsonValue::Kind kind) {
  constexpr std::array names = {"null",     "true or false", "a whole number", "a number",
                                "a string", "an array",      "an object"};
  return names[static_cast<std::size_t>(kind)];
}

JsonDocument::JsonDocument(std::string_view text, std::string source)
    : text_(text), source_(std::move(source)) {
  if (text.size() > max_bytes)
    fail(0, "longer than " + std::to_string(max_bytes) + " bytes, the most a machine may have");
  TreeBuilder builder(*this, text, root_);
  const char* begin = text.data();
  const char* end = begin + text.size();
  const CountingIterator first(begin, begin, builder.bytes_read());
  const CountingIterator last(end, begin, builder.bytes_read());
  if (!json::sax_parse(first, last, &builder)) fail(0, "this is not JSON");
}

void JsonDocument::fail(std::size_t offset, const std::string& message) const {
  throw InputError(position_of(text_, source_, offset), message);
}

std::string JsonDocument::locate(std::size_t offset, const std::string& message) const {
  return InputError(position_of(text_, source_, offset), message).what();
}

const JsonValue* JsonDocument::find(const JsonValue& object, std::string_view key) {
  for (const JsonMember& member : object.members)
    if (member.key == key)
      return member.value.kind == JsonValue::Kind::null ? nullptr : &member.value;
  return nullptr;
}

void JsonDocument::expect_object(const JsonValue& value, std::string_view what) const {
  if (value.kind != JsonValue::Kind::object)
    fail(value, std::string(what) + " is " + name_of(value.kind) + ", expected an object");
}

void JsonDocument::expect_string(const JsonValue& value, std::string_view what) const {
  if (value.kind != JsonValue::Kind::string)
    fail(value, std::string(what) + " is " + name_of(value.kind) + ", expected a string");
}

std::optional<std::string> JsonDocument::string(const JsonValue& object,
                                                std::string_view key) const {
  const JsonValue* value = find(object, key);
  if (value == nullptr) return std::nullopt;
  expect_string(*value, quoted(key));
  return value->text;
}

std::optional<std::int64_t> JsonDocument::integer(const JsonValue& object, std::string_view key,
                                                  std::int64_t least, std::int64_t most) const {
  const JsonValue* value = find(object, key);
  if (value == nullptr) return std::nullopt;
  if (value->kind != JsonValue::Kind::integer || value->integer < least || value->integer > most) {
    const std::string found = value->kind == JsonValue::Kind::integer
                                  ? std::to_string(value->integer)
                                  : name_of(value->kind);
    fail(*value, quoted(key) + " is " + found + ", expected a whole number from " +
                     std::to_string(least) + " to " + std::to_string(most));
  }
  return value->integer;
}

std::optional<double> JsonDocument::real(const JsonValue& object, std::string_view key,
                                         double above, double most) const {
  const JsonValue* value = find(object, key);
  if (value == nullptr) return std::nullopt;
  const bool is_number =
      value->kind == JsonValue::Kind::integer || value->kind == JsonValue::Kind::real;
  if (!is_number || !(value->real > above) || value->real > most)
    fail(*value, quoted(key) + " is " +
                     (is_number ? format_real(value->real) : std::string(name_of(value->kind))) +
                     ", expected a number above " + format_real(above) + ", at most " +
                     format_real(most));
  return value->real;
}

std::optional<bool> JsonDocument::boolean(const JsonValue& object, std::string_view key) const {
  const JsonValue* value = find(object, key);
  if (value == nullptr) return std::nullopt;
  if (value->kind != JsonValue::Kind::boolean)
    fail(*value, quoted(key) + " is " + name_of(value->kind) + ", expected true or false");
  return value->boolean;
}

const std::vector<JsonMember>* JsonDocument::array(const JsonValue& object, std::string_view key,
                                                   std::size_t most) const {
  const JsonValue* value = find(object, key);
  if (value == nullptr) return nullptr;
  if (value->kind != JsonValue::Kind::array)
    fail(*value, quoted(key) + " is " + name_of(value->kind) + ", expected an array");
  if (value->members.size() > most)
    fail(*value, quoted(key) + " has " + std::to_string(value->members.size()) +
                     " elements, at most " + std::to_string(most) + " are read");
  return &value->members;
}

}  // namespace rankmap
