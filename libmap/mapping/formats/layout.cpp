#include "libmap/mapping/formats/layout.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/mapping/launch.hpp"

namespace rankmap {
namespace {

// The i-th rank of every host in turn, hosts that are full left out.
bool is_cyclic(const std::vector<HostRanks>& hosts) {
  Rank expected = 0;
  const std::size_t most =
      std::max_element(hosts.begin(), hosts.end(), [](const HostRanks& a, const HostRanks& b) {
        return a.rows.size() < b.rows.size();
      })->rows.size();
  for (std::size_t i = 0; i < most; ++i)
    for (const HostRanks& host : hosts)
      if (i < host.rows.size() && host.rows[i]->rank != expected++) return false;
  return true;
}

bool is_block(const std::vector<HostRanks>& hosts) {
  Rank expected = 0;
  for (const HostRanks& host : hosts)
    for (const MapRow* const row : host.rows)
      if (row->rank != expected++) return false;
  return true;
}

Layout layout_of(const MapFile& map, const std::vector<std::string>& order) {
  Layout layout;
  std::map<std::string, std::size_t> index;
  for (const std::string& host : order)
    if (index.emplace(host, index.size()).second) layout.hosts.push_back({host, {}});
  for (const MapRow& row : map.rows) layout.hosts[index.at(row.host)].rows.push_back(&row);
  std::erase_if(layout.hosts, [](const HostRanks& host) { return host.rows.empty(); });
  const std::size_t first = layout.hosts.front().rows.size();
  layout.equal = std::all_of(layout.hosts.begin(), layout.hosts.end(),
                             [&](const HostRanks& host) { return host.rows.size() == first; });
  layout.block = is_block(layout.hosts);
  layout.cyclic = is_cyclic(layout.hosts);
  return layout;
}

template <typename Same>
bool agree(const Layout& layout, const Same& same) {
  const std::vector<const MapRow*>& first = layout.hosts.front().rows;
  for (const HostRanks& host : layout.hosts) {
    if (host.rows.size() != first.size()) return false;
    for (std::size_t i = 0; i < first.size(); ++i)
      if (!same(*host.rows[i], *first[i])) return false;
  }
  return true;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// The digits at the front of a text, taken off.
std::string_view take_digits(std::string_view& text) {
  std::size_t length = 0;
  while (length < text.size() && is_digit(text[length])) ++length;
  const std::string_view digits = text.substr(0, length);
  text.remove_prefix(length);
  return digits;
}

std::string_view without_zeros(std::string_view digits) {
  const std::size_t first = digits.find_first_not_of('0');
  return first == digits.npos ? digits.substr(digits.size()) : digits.substr(first);
}

// A name taken apart: "n07" is n, 07. No number at its end, or too large a one: digits is empty.
struct NumberedName {
  std::string stem, digits;
  std::uint64_t number = 0;

  explicit NumberedName(const std::string& name) {
    constexpr std::size_t most_digits = 9;
    const std::size_t last = name.find_last_not_of("0123456789");
    stem = last == name.npos ? "" : name.substr(0, last + 1);
    digits = name.substr(stem.size());
    if (digits.empty() || digits.size() > most_digits) {
      stem = name;
      digits.clear();
    } else {
      number = *parse_unsigned(digits);
    }
  }
  // Can the list go on from here with `next`, in the same brackets; as the same range?
  bool joins(const NumberedName& next) const {
    return !digits.empty() && !next.digits.empty() && stem == next.stem;
  }
  bool runs_on(const NumberedName& next) const {
    const bool padded = digits.front() == '0' || next.digits.front() == '0';
    return next.number == number + 1 && (!padded || digits.size() == next.digits.size());
  }
};

std::string bracket(const std::vector<NumberedName>& group) {
  std::vector<std::string> ranges;
  for (std::size_t i = 0; i < group.size(); ++i) {
    std::size_t last = i;
    while (last + 1 < group.size() && group[last].runs_on(group[last + 1])) ++last;
    ranges.push_back(group[i].digits + (last > i ? "-" + group[last].digits : ""));
    i = last;
  }
  if (group.size() == 1) return group.front().stem + group.front().digits;
  return group.front().stem + "[" + join(ranges, ",") + "]";
}

// 12 for "node12", the stand-in for a name.
std::size_t node_number(const std::string& stand_in) {
  const std::optional<std::uint64_t> number =
      stand_in.starts_with("node") ? parse_unsigned(stand_in.substr(4)) : std::nullopt;
  if (!number) throw Infeasible("host " + quoted(stand_in) + ", expected node0, node1 ...");
  return static_cast<std::size_t>(*number);
}

bool is_plain_host(const std::string& host) {
  return host == "*" ||
         (!host.empty() && host.front() != '-' && std::all_of(host.begin(), host.end(), [](char c) {
           return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
                  c == '-' || c == '_';
         }));
}

}  // namespace

std::size_t Layout::ranks_per_host() const {
  std::size_t most = 0;
  for (const HostRanks& host : hosts) most = std::max(most, host.rows.size());
  return most;
}

Layout layout_by_first_rank(const MapFile& map) {
  return layout_of(map, hosts_of(map));
}

Layout layout_by_name(const MapFile& map) {
  std::vector<std::string> hosts = hosts_of(map);
  std::sort(hosts.begin(), hosts.end(), natural_less);
  return layout_of(map, hosts);
}

Layout layout_in_given_order(const MapFile& map, const ExportOptions& options) {
  return options.hosts.empty() ? layout_by_name(map) : layout_of(map, options.hosts);
}

bool agree_on_cpus(const Layout& layout) {
  return agree(layout, [](const MapRow& a, const MapRow& b) { return a.cpus == b.cpus; });
}

bool agree_on_gpus(const Layout& layout) {
  return agree(layout, [](const MapRow& a, const MapRow& b) { return a.gpu == b.gpu; });
}

bool all_have_cpus(const MapFile& map) {
  return std::none_of(map.rows.begin(), map.rows.end(),
                      [](const MapRow& row) { return row.cpus.empty(); });
}

bool all_have_gpus(const MapFile& map) {
  return std::none_of(map.rows.begin(), map.rows.end(),
                      [](const MapRow& row) { return row.gpu == none; });
}

std::map<std::string, std::size_t> host_numbers(const MapFile& map, const ExportOptions& options) {
  std::map<std::string, std::size_t> numbers;
  if (map.hosts_unnamed || map.rows.front().host == "*") {
    for (const MapRow& row : map.rows)
      if (!numbers.contains(row.host))
        numbers[row.host] = row.host == "*" ? 0 : node_number(row.host);
    return numbers;
  }
  const std::vector<std::string> order =
      options.hosts.empty() ? names_of(layout_by_name(map)) : options.hosts;
  for (const std::string& host : order) numbers.emplace(host, numbers.size());
  return numbers;
}

bool natural_less(std::string_view a, std::string_view b) {
  const std::string_view whole_a = a, whole_b = b;
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const std::string_view left = without_zeros(take_digits(a)),
                             right = without_zeros(take_digits(b));
      if (left.size() != right.size()) return left.size() < right.size();
      if (left != right) return left < right;
    } else if (a.front() != b.front()) {
      return a.front() < b.front();
    } else {
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return a.empty() == b.empty() ? whole_a < whole_b : a.empty();
}

std::string compressed_hosts(const std::vector<std::string>& hosts) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < hosts.size();) {
    std::vector<NumberedName> group = {NumberedName(hosts[i++])};
    while (i < hosts.size() && group.back().joins(NumberedName(hosts[i])))
      group.emplace_back(hosts[i++]);
    parts.push_back(bracket(group));
  }
  return join(parts, ",");
}

std::vector<std::string> names_of(const Layout& layout) {
  std::vector<std::string> names;
  for (const HostRanks& host : layout.hosts) names.push_back(host.host);
  return names;
}

std::string shell_word(const std::string& word) {
  return shell_line({word});
}

std::string wrapped_program(const std::string& map_path, const ExportOptions& options) {
  return "rankmap exec --map " + shell_word(map_path) + " -- " + options.program;
}

std::string hex_mask(const CpuSet& cpus) {
  constexpr int bits = 4;
  constexpr const char* digits = "0123456789ABCDEF";
  const int highest = cpus.empty() ? 0 : cpus.numbers().back();
  std::vector<unsigned> values(static_cast<std::size_t>(highest / bits) + 1);
  for (const int cpu : cpus.numbers())
    values[static_cast<std::size_t>(cpu / bits)] |= 1U << static_cast<unsigned>(cpu % bits);
  std::string text;
  for (const unsigned value : values) text.insert(text.begin(), digits[value]);
  return text;
}

std::string comment_line(const MapFile& map, const std::string& what) {
  std::string text = "# rankmap: " + map.machine + ", " + map.objective + "; " + what;
  std::erase_if(text, [](char c) { return c < ' ' || static_cast<unsigned char>(c) > 126; });
  return text + "\n";
}

std::string sizes_of(const MapFile& map, const Layout& layout) {
  const std::string hosts = std::to_string(layout.hosts.size());
  return std::to_string(map.rows.size()) + " ranks on " + hosts +
         (layout.single() ? " host" : " hosts");
}

std::string host_per_rank(const MapFile& map) {
  std::string text;
  for (const MapRow& row : map.rows) text += spelled_host(row.host) + "\n";
  return text;
}

std::string spelled_host(const std::string& host) {
  return host == "*" ? "localhost" : host;
}

void check_host_names(const MapFile& map) {
  for (const MapRow& row : map.rows)
    if (!is_plain_host(row.host))
      throw Infeasible("rank " + std::to_string(row.rank) + ": the host name " + quoted(row.host) +
                       " cannot be given to a launcher, expected letters, digits, '.', '-', '_'");
}

std::string carries_note(const std::string& carried, const std::string& applied,
                         const std::string& map_path) {
  return carried + "; " + applied + " applied by the wrapper, rankmap exec, from " + map_path;
}

}  // namespace rankmap
