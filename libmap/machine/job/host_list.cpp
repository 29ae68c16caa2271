#include "libmap/machine/job/host_list.hpp"

#include <cstdint>
#include <optional>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"

namespace rankmap {
namespace {

class HostList {
 public:
  HostList(std::string_view text, const std::string& source) : text_(text), source_(source) {}

  std::vector<std::string> expand() {
    std::vector<std::string> hosts;
    for (const std::string_view name : names()) {
      if (hosts.size() >= most_hosts) refuse_many();
      const std::vector<std::string> more = expand_name(trim(name), hosts.size());
      hosts.insert(hosts.end(), more.begin(), more.end());
    }
    return hosts;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    const std::string_view shown = text_.substr(0, 80);
    throw UsageError(source_ + ": found the host list " +
                     quoted(std::string(shown) + (shown.size() < text_.size() ? "..." : "")) +
                     ", " + why + ", expected one like n[01-04,07],login1");
  }

  // Split at the commas outside of brackets.
  std::vector<std::string_view> names() const {
    std::vector<std::string_view> result;
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= text_.size(); ++i) {
      const char c = i < text_.size() ? text_[i] : ',';
      if (c == '[') ++depth;
      if (c == ']') --depth;
      if (depth < 0 || depth > 1) refuse("a bracket stands where none can be");
      if (c != ',' || (depth > 0 && i < text_.size())) continue;
      if (depth > 0) refuse("a bracket is not closed");
      result.push_back(text_.substr(begin, i - begin));
      begin = i + 1;
    }
    return result;
  }

  std::vector<std::string> expand_name(std::string_view name, std::size_t before) const {
    if (name.empty()) refuse("a name is empty");
    if (name.find_first_of(" \t\r\n") != std::string_view::npos) refuse("a name has a blank in it");
    std::vector<std::string> made = {""};
    while (!name.empty()) {
      const std::size_t open = name.find('[');
      const std::string_view plain = name.substr(0, open);
      check_length(made.front().size() + plain.size());
      for (std::string& host : made) host += plain;
      if (open == std::string_view::npos) break;
      const std::size_t close = name.find(']');
      const std::vector<std::string> numbers = ranges(name.substr(open + 1, close - open - 1));
      if (made.size() * numbers.size() + before > most_hosts) refuse_many();
      check_length(made.front().size() + numbers.front().size());
      std::vector<std::string> next;
      for (const std::string& host : made)
        for (const std::string& number : numbers) next.push_back(host + number);
      made = std::move(next);
      name.remove_prefix(close + 1);
    }
    return made;
  }

  // The names of hosts and of their files: a longer one would be a million times in memory.
  void check_length(std::size_t letters) const {
    if (letters > longest_host)
      refuse("a name is longer than " + std::to_string(longest_host) + " letters");
  }

  [[noreturn]] void refuse_many() const {
    refuse("of more than " + std::to_string(most_hosts) + " hosts");
  }

  std::vector<std::string> ranges(std::string_view text) const {
    std::vector<std::string> result;
    for (const std::string_view item : split(text, ',')) {
      const std::size_t dash = item.find('-');
      const std::string_view low = item.substr(0, dash);
      const std::string_view high = dash == item.npos ? low : item.substr(dash + 1);
      const std::optional<std::uint64_t> first = parse_unsigned(low), last = parse_unsigned(high);
      if (!first || !last || *first > *last) refuse("the range " + quoted(item) + " is none");
      check_length(low.size());
      if (*last - *first >= most_hosts || result.size() + (*last - *first) >= most_hosts)
        refuse_many();
      for (std::uint64_t i = 0; i <= *last - *first; ++i) {
        const std::string digits = std::to_string(*first + i);
        const std::size_t zeros = low.size() > digits.size() ? low.size() - digits.size() : 0;
        result.push_back(std::string(zeros, '0') + digits);
      }
    }
    return result;
  }

  std::string_view text_;
  const std::string& source_;
};

}  // namespace

std::vector<std::string> expand_host_list(std::string_view list, const std::string& source) {
  return HostList(list, source).expand();
}

}  // namespace rankmap
