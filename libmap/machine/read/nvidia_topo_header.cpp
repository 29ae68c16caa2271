#include "libmap/machine/read/nvidia_topo_header.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "libmap/base/text.hpp"

namespace rankmap {
namespace {

constexpr std::size_t wrap_padding = 60;  // no table has so wide a gap between its columns
constexpr std::array path_tokens = {"X", "SYS", "NODE", "PHB", "PXB", "PIX", "SOC", "PSB", "N/A"};
constexpr std::array p2p_tokens = {"X", "OK", "CNS", "GNS", "TNS", "NS", "DR", "U"};

template <typename Table>
bool contains(const Table& table, std::string_view word) {
  return std::find(table.begin(), table.end(), word) != table.end();
}

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
  });
}

std::string without_escapes(std::string_view line) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\x1b') {
      text += line[i];
      continue;
    }
    if (i + 1 < line.size() && line[i + 1] == '[') ++i;
    while (i + 1 < line.size() && std::isalpha(static_cast<unsigned char>(line[i + 1])) == 0) ++i;
    ++i;  // the letter that ends the sequence
  }
  return text;
}

std::string without_wrap_padding(std::string_view line) {
  std::string text;
  for (std::size_t i = 0; i < line.size();) {
    const std::size_t end = std::min(line.find_first_not_of(' ', i), line.size());
    if (end - i < wrap_padding) text.append(line.substr(i, end - i));
    if (end < line.size()) text += line[end];
    i = end + 1;
  }
  return text;
}

void drop_comment_marks(std::string_view& line) {
  const auto drop_blanks = [&] {
    while (line.starts_with(' ')) line.remove_prefix(1);
  };
  drop_blanks();
  for (const std::string_view mark : {"//", "/*", "*", "#", ">"}) {
    const bool bold = mark == "*" && line.starts_with("**");
    while (!bold && line.starts_with(mark)) line.remove_prefix(mark.size());
    drop_blanks();
  }
}

// "GPU0GPU1mlx5_0" -> its three words.
std::vector<std::string_view> unglued(std::string_view word) {
  std::vector<std::string_view> words;
  while (word.starts_with("GPU")) {
    std::size_t end = 3;
    while (end < word.size() && std::isdigit(static_cast<unsigned char>(word[end])) != 0) ++end;
    if (end == 3) break;
    words.push_back(word.substr(0, end));
    word.remove_prefix(end);
  }
  if (!word.empty()) words.push_back(word);
  return words;
}

struct Title {
  std::string_view text;
  TopoColumn column;
};
constexpr std::array titles = {
    Title{"CPU Affinity", TopoColumn::cpu_affinity},
    Title{"NUMA Affinity", TopoColumn::numa_affinity},
    Title{"GPU NUMA ID", TopoColumn::gpu_numa_id},
};

// How many of the words from `first` on make a title; 0: none does.
std::size_t title_at(const std::vector<std::string_view>& words, std::size_t first,
                     TopoColumn& column) {
  for (const Title& title : titles) {
    const std::vector<std::string_view> wanted = split_words(title.text);
    if (first + wanted.size() > words.size()) continue;
    if (!std::equal(wanted.begin(), wanted.end(),
                    words.begin() + static_cast<std::ptrdiff_t>(first)))
      continue;
    column = title.column;
    return wanted.size();
  }
  return 0;
}

// False: the word cannot stand in a header.
bool add_device(TopoHeader& header, std::string_view word) {
  const bool gpu = is_gpu_name(word);
  if (!gpu && !is_nic_name(word)) return false;
  if (gpu && header.devices.size() != header.gpus) return false;  // a GPU behind a NIC
  header.devices.emplace_back(word);
  header.gpus += gpu ? 1 : 0;
  header.columns.push_back(TopoColumn::device);
  return true;
}

bool devices_differ(const TopoHeader& header) {
  const std::set<std::string> different(header.devices.begin(), header.devices.end());
  return header.gpus > 0 && different.size() == header.devices.size();
}

std::optional<TopoHeader> pipe_header(std::string_view line) {
  TopoHeader header;
  header.pipes = true;
  for (const std::string& cell : pipe_cells(line)) {
    TopoColumn column = TopoColumn::other;
    const std::vector<std::string_view> words = split_words(cell);
    if (title_at(words, 0, column) == words.size() && !words.empty()) {
      header.columns.push_back(column);
    } else if (words.size() == 1 && add_device(header, words[0])) {
      continue;
    } else if (words.empty() || header.devices.empty()) {
      const bool again = std::find(header.columns.begin(), header.columns.end(),
                                   TopoColumn::label) != header.columns.end();
      header.columns.push_back(again ? TopoColumn::other : TopoColumn::label);
    } else {
      return std::nullopt;
    }
  }
  const bool labelled = std::find(header.columns.begin(), header.columns.end(),
                                  TopoColumn::label) != header.columns.end();
  return labelled && devices_differ(header) ? std::optional(header) : std::nullopt;
}

std::size_t first_gpu(std::string_view line) {
  for (std::size_t at = line.find("GPU"); at != line.npos; at = line.find("GPU", at + 1))
    if (at + 3 < line.size() && std::isdigit(static_cast<unsigned char>(line[at + 3])) != 0)
      return at;
  return line.npos;
}

std::optional<TopoHeader> plain_header(std::string_view line) {
  while (!line.empty() && (line.back() == '|' || line.back() == ' ')) line.remove_suffix(1);
  const std::size_t begin = first_gpu(line);
  if (begin == line.npos) return std::nullopt;
  TopoHeader header;
  const std::vector<std::string_view> words = split_words(line.substr(begin));
  bool in_titles = false;
  for (std::size_t i = 0; i < words.size();) {
    TopoColumn column = TopoColumn::other;
    const std::size_t length = title_at(words, i, column);
    if (length == 0 && in_titles) return std::nullopt;
    if (length == 0) {
      for (const std::string_view word : unglued(words[i++]))
        if (!add_device(header, word)) return std::nullopt;
      continue;
    }
    in_titles = true;
    header.columns.push_back(column);
    i += length;
  }
  return devices_differ(header) ? std::optional(header) : std::nullopt;
}

}  // namespace

std::string cleaned_topo_line(std::string_view line) {
  const std::string text = without_wrap_padding(without_escapes(line));
  std::string_view rest = text;
  drop_comment_marks(rest);
  return std::string(rest);
}

bool is_gpu_name(std::string_view word) {
  return word.starts_with("GPU") && word.size() <= 8 && all_digits(word.substr(3));
}

bool is_topo_token(std::string_view word) {
  const bool nvlink = word.starts_with("NV") && word.size() <= 5 && all_digits(word.substr(2));
  return nvlink || contains(path_tokens, word);
}

bool is_p2p_token(std::string_view word) {
  return contains(p2p_tokens, word);
}

bool is_nic_name(std::string_view word) {
  if (word.size() < 2 || word.size() > 64 || is_topo_token(word)) return false;
  if (std::isalpha(static_cast<unsigned char>(word[0])) == 0) return false;
  bool digit = false;
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) == 0 && c != '_' && c != '-' && c != '.') return false;
    digit = digit || std::isdigit(byte) != 0;
  }
  return digit;
}

std::vector<std::string> pipe_cells(std::string_view line) {
  line = trim(line);
  if (line.starts_with('|')) line.remove_prefix(1);
  if (line.ends_with('|')) line.remove_suffix(1);
  std::vector<std::string> cells;
  for (std::string_view cell : split(line, '|')) {
    cell = trim(cell);
    while (!cell.empty() && (cell.front() == '*' || cell.front() == '`')) cell.remove_prefix(1);
    while (!cell.empty() && (cell.back() == '*' || cell.back() == '`')) cell.remove_suffix(1);
    cells.emplace_back(trim(cell));
  }
  return cells;
}

std::optional<TopoHeader> parse_topo_header(std::string_view line) {
  if (line.find("GPU") == line.npos) return std::nullopt;
  if (line.find('|') != line.npos)
    if (std::optional<TopoHeader> header = pipe_header(line)) return header;
  return plain_header(line);
}

}  // namespace rankmap
