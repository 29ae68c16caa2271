// The tables of `rocm-smi --showtopo`.
#include <algorithm>
#include <array>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/machine/read/rocm_smi.hpp"

namespace rankmap {
namespace {

struct TableKind {
  std::string_view title;             // lower case
  TokenMatrix RocmTopology::*matrix;  // nullptr: a table that is passed over
};
constexpr std::array table_kinds = {
    TableKind{"weight between two gpus", &RocmTopology::weight},
    TableKind{"hops between two gpus", &RocmTopology::hops},
    TableKind{"link type between two gpus", &RocmTopology::link_type},
    TableKind{"link accessibility between two gpus", nullptr},
    TableKind{"access between two gpus", nullptr},
};

const TableKind* title_in(std::string_view line) {
  const std::string lower = to_lower(line);
  for (const TableKind& kind : table_kinds)
    if (lower.find(kind.title) != std::string::npos) return &kind;
  return nullptr;
}

bool names_two_tables(std::string_view line) {
  const std::string lower = to_lower(line);
  constexpr std::string_view words = "between two gpus";
  const std::size_t first = lower.find(words);
  return first != std::string::npos && lower.find(words, first + 1) != std::string::npos;
}

// The words or markdown cells of a line, without marks; the corner cell of a markdown table is
// left out.
std::vector<std::string> cells_of(std::string_view line) {
  std::string plain;
  for (const char c : line) plain += c == '|' || c == '*' ? ' ' : c;
  std::vector<std::string> cells;
  for (const std::string_view word : split_words(plain)) cells.emplace_back(word);
  return cells;
}

bool is_gpu(std::string_view word, std::size_t number) {
  return word == "GPU" + std::to_string(number);
}

bool is_separator(std::string_view line) {
  return line.find_first_not_of(" \t|:-=") == line.npos;
}

bool is_header(const std::vector<std::string>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (!is_gpu(cells[i], i)) return false;
  return !cells.empty();
}

class Tables {
 public:
  Tables(std::string_view text, const std::string& source)
      : lines_(split_lines(text)), source_(source) {
    while (!lines_.empty() && trim(lines_.back()).empty()) lines_.pop_back();
  }

  RocmTopology read() {
    while (line_ < lines_.size()) {
      const std::string_view line = lines_[line_];
      if (names_two_tables(line))
        fail("found several tables side by side, expected one below the other as rocm-smi prints");
      const TableKind* kind = title_in(line);
      if (kind == nullptr) read_numa_line(trim(line));
      ++line_;
      if (kind != nullptr) read_table(*kind);
    }
    if (topology_.weight.empty() && topology_.link_type.empty())
      throw InputError({source_, 0, 0},
                       "found no whole table of weights or link types, expected the output of "
                       "`rocm-smi --showtopo`");
    return std::move(topology_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError({source_, line_ + 1, 1}, what);
  }

  void skip_separators() {
    while (line_ < lines_.size() && is_separator(lines_[line_])) ++line_;
  }

  void read_table(const TableKind& kind) {
    skip_separators();
    if (line_ == lines_.size()) {
      topology_.cut = true;
      return;
    }
    const std::vector<std::string> header = cells_of(lines_[line_]);
    if (!is_header(header)) fail("found no header GPU0, GPU1 ... below the table's title");
    check_count(header.size());
    ++line_;
    TokenMatrix matrix;
    while (matrix.size() < header.size()) {
      skip_separators();
      if (line_ == lines_.size()) {
        topology_.cut = true;
        return;
      }
      if (!read_row(matrix, header.size())) return;
      ++line_;
    }
    if (kind.matrix != nullptr) topology_.*kind.matrix = std::move(matrix);
  }

  void check_count(std::size_t gpus) {
    if (gpus > most_rocm_gpus)
      fail("found " + std::to_string(gpus) + " GPUs, expected at most " +
           std::to_string(most_rocm_gpus));
    if (topology_.gpus != 0 && topology_.gpus != gpus)
      fail("found a table of " + std::to_string(gpus) + " GPUs, but the one above has " +
           std::to_string(topology_.gpus));
    topology_.gpus = gpus;
  }

  // False: the text ends within this row.
  bool read_row(TokenMatrix& matrix, std::size_t gpus) {
    std::vector<std::string> cells = cells_of(lines_[line_]);
    const std::string name = "GPU" + std::to_string(matrix.size());
    const bool last = line_ + 1 == lines_.size();
    if (cells.size() != gpus + 1 && last && (cells.empty() || cells.size() <= gpus)) {
      topology_.cut = true;
      ++line_;
      return false;
    }
    if (cells.empty() || cells[0] != name)
      fail("found " + quoted(trim(lines_[line_])) + ", expected the row of " + name);
    if (cells.size() != gpus + 1)
      fail("row " + name + ": found " + std::to_string(cells.size() - 1) + " cells, expected " +
           std::to_string(gpus));
    for (std::size_t i = 0; i < gpus; ++i)
      if (is_gpu(cells[i + 1], i))
        fail("row " + name + ", column GPU" + std::to_string(i) + ": found a GPU's name");
    cells.erase(cells.begin());
    matrix.push_back(std::move(cells));
    return true;
  }

  // "GPU[0]\t\t: (Topology) Numa Node: 0", of old versions "GPU 0    : (Topology) Numa Node: 0".
  void read_numa_line(std::string_view line) {
    const std::size_t mark = line.find("(Topology) Numa ");
    if (!line.starts_with("GPU") || mark == line.npos) return;
    std::string number;
    for (const char c : line.substr(3, mark - 3))
      if (c != '[' && c != ']' && c != ':' && c != ' ' && c != '\t') number += c;
    const std::size_t colon = line.rfind(':');
    const auto gpu = parse_integer(number);
    const auto value = parse_integer(trim(line.substr(colon + 1)));
    if (!gpu || !value || *gpu < 0 || *gpu >= static_cast<std::int64_t>(most_rocm_gpus)) return;
    if (*value < -1 || *value > CpuSet::max_number) return;
    const bool affinity = line.substr(mark).find("Affinity") != line.npos;
    auto& numbers = affinity ? topology_.numa_affinity : topology_.numa_node;
    numbers.emplace(static_cast<int>(*gpu), static_cast<int>(*value));
  }

  std::vector<std::string_view> lines_;
  const std::string& source_;
  std::size_t line_ = 0;  // an index
  RocmTopology topology_;
};

}  // namespace

RocmTopology parse_rocm_topology(std::string_view text, const std::string& source) {
  return Tables(text, source).read();
}

bool recognises_rocm_smi(std::string_view text) {
  if (text.find("GPU") == text.npos) return false;
  for (const std::string_view line : split_lines(text))
    if (title_in(line) != nullptr || line.find("(Topology) Numa ") != line.npos) return true;
  return false;
}

}  // namespace rankmap
