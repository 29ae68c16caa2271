#include "libmap/machine/json/machine_document.hpp"

#include <algorithm>
#include <array>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/machine/xml/bus_id.hpp"

namespace rankmap {
namespace {

constexpr std::size_t longest_word = 128;
constexpr std::size_t longest_text = 2048;
constexpr int most_unknown_keys_told = 20;
constexpr std::array<std::string_view, 5> comment_keys = {"source", "notes", "verified",
                                                          "unverified", "$schema"};

bool is_control(char c) {
  return static_cast<unsigned char>(c) < ' ' || c == '\x7f';
}
bool is_control_or_blank(char c) {
  return is_control(c) || c == ' ';
}

// hhhh:hh:hh.h, with a domain of four to eight digits.
bool is_bus_id(std::string_view id) {
  const std::size_t domain = id.find(':');
  return domain != id.npos && domain >= 4 && domain <= 8 && id.size() == domain + 8 &&
         id[domain + 3] == ':' && id[domain + 6] == '.' &&
         id.find_first_not_of("0123456789abcdef:.") == id.npos;
}

}  // namespace

const JsonValue& MachineDocument::object(const JsonMember& element, std::string_view what) const {
  expect_object(element.value, what);
  return element.value;
}

int MachineDocument::number(const JsonValue& object, std::string_view key) const {
  return static_cast<int>(integer(object, key, none, CpuSet::max_number).value_or(none));
}

std::optional<CpuSet> MachineDocument::cpu_list(const JsonValue& object,
                                                std::string_view key) const {
  const auto text = string(object, key);
  if (!text) return std::nullopt;
  const auto cpus = CpuSet::parse_list(*text);
  if (!cpus)
    fail(*find(object, key),
         quoted(key) + " is " + quoted(*text) + ", expected a list like \"0-4,40-44\"");
  return cpus;
}

std::string MachineDocument::printable(const JsonValue& object, std::string_view key) const {
  const std::string text = string(object, key).value_or("");
  if (std::any_of(text.begin(), text.end(), is_control) || text.size() > longest_text)
    fail(*find(object, key),
         quoted(key) + " is " + quoted(text) + ", expected text without control characters");
  return text;
}

std::optional<std::string> MachineDocument::word(const JsonValue& object,
                                                 std::string_view key) const {
  if (!string(object, key)) return std::nullopt;
  return word_of(*find(object, key));
}

std::string MachineDocument::word_of(const JsonValue& value) const {
  expect_string(value, "a word");
  const std::string& text = value.text;
  if (text.empty() || text.size() > longest_word ||
      std::any_of(text.begin(), text.end(), is_control_or_blank))
    fail(value, "found " + quoted(text) + ", expected a word of at most " +
                    std::to_string(longest_word) + " bytes, without blanks");
  return text;
}

std::string MachineDocument::bus_id(const JsonValue& object) const {
  const auto text = string(object, "bus_id");
  if (!text) return "";
  const std::string id = normal_bus_id(*text);
  if (!is_bus_id(id))
    fail(*find(object, "bus_id"),
         "\"bus_id\" is " + quoted(*text) + ", expected one like \"0000:06:00.0\"");
  return id;
}

void MachineDocument::warn_unknown(const JsonValue& object,
                                   std::initializer_list<std::string_view> known,
                                   NodeModel& model) {
  for (const JsonMember& member : object.members) {
    const bool is_known = std::find(known.begin(), known.end(), member.key) != known.end();
    const bool is_comment =
        member.key.starts_with("_") ||
        std::find(comment_keys.begin(), comment_keys.end(), member.key) != comment_keys.end();
    if (is_known || is_comment || ++unknown_keys_ > most_unknown_keys_told) continue;
    model.warn(locate(member.key_offset, "the unknown key " + quoted(member.key) + " is not read"));
  }
}

void MachineDocument::fail_unknown(const JsonValue& value, std::string_view what,
                                   const std::vector<std::string>& expected) const {
  fail(value, UsageError::unknown(what, value.text, expected).what());
}

void MachineDocument::fail_missing(const JsonValue& object, std::string_view key) const {
  fail(object, "the key " + quoted(key) + " is missing");
}

}  // namespace rankmap
