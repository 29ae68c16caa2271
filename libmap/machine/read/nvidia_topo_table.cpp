#include "libmap/machine/read/nvidia_topo_table.hpp"

#include <algorithm>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/machine/read/nvidia_topo_header.hpp"
#include "libmap/machine/read/nvidia_topo_rows.hpp"

namespace rankmap {
namespace {

enum class Matrix { links, p2p };

struct Candidate {
  TopoHeader header;
  std::size_t line = 0;       // of the header, an index
  std::size_t first_row = 0;  // an index; the number of lines when the text ends before
  Matrix matrix = Matrix::links;
  bool pcie_only = false;
};

bool is_separator(std::string_view line) {
  return line.find_first_not_of(" \t|:-+=") == line.npos;
}

class Text {
 public:
  explicit Text(std::string_view text) {
    for (const std::string_view line : split_lines(text)) lines_.push_back(cleaned_topo_line(line));
  }
  std::size_t size() const { return lines_.size(); }
  const std::string& operator[](std::size_t line) const { return lines_[line]; }

  std::size_t next_filled(std::size_t line) const {
    while (line < lines_.size() && is_separator(lines_[line])) ++line;
    return line;
  }

 private:
  std::vector<std::string> lines_;
};

bool names_device(const TopoHeader& header, std::string_view word) {
  return std::find(header.devices.begin(), header.devices.end(), word) != header.devices.end();
}

std::optional<Candidate> candidate_at(const Text& text, std::size_t line) {
  std::optional<TopoHeader> header = parse_topo_header(text[line]);
  if (!header) return std::nullopt;
  Candidate found{std::move(*header), line, text.next_filled(line + 1), Matrix::links, false};
  if (found.first_row == text.size())
    return found.header.columns.back() == TopoColumn::device ? std::nullopt
                                                             : std::optional(std::move(found));
  const std::string& row = text[found.first_row];
  if (!names_device(found.header, topo_row_label(found.header, row))) return std::nullopt;
  const std::vector<std::string> words = topo_row_words(found.header, row);
  const bool links = std::any_of(words.begin(), words.end(), is_topo_token);
  const bool p2p = std::all_of(words.begin(), words.end(), is_p2p_token);
  const bool only_self =
      std::all_of(words.begin(), words.end(), [](const std::string& word) { return word == "X"; });
  if (!links && !p2p) return std::nullopt;
  found.matrix = p2p && !only_self ? Matrix::p2p : Matrix::links;
  return found;
}

// What a command line in the text says of the table below it.
void note_command(std::string_view line, bool& pcie_only) {
  const std::size_t topo = line.find("topo ");
  if (topo == line.npos) return;
  const std::string_view options = line.substr(topo);
  if (options.find("-mp") != options.npos || options.find("--matrix_pci") != options.npos)
    pcie_only = true;
  else if (options.find("-m") != options.npos)
    pcie_only = false;
}

std::vector<Candidate> candidates_in(const Text& text) {
  std::vector<Candidate> candidates;
  bool pcie_only = false;
  for (std::size_t line = 0; line < text.size(); ++line) {
    note_command(text[line], pcie_only);
    std::optional<Candidate> found = candidate_at(text, line);
    if (!found) continue;
    found->pcie_only = pcie_only;
    pcie_only = false;
    candidates.push_back(std::move(*found));
  }
  return candidates;
}

std::size_t chosen_of(const std::vector<Candidate>& candidates, const std::string& source) {
  std::size_t chosen = candidates.size();
  for (std::size_t i = candidates.size(); i-- > 0;) {
    if (candidates[i].matrix == Matrix::p2p) continue;
    if (chosen == candidates.size() || !candidates[i].pcie_only || candidates[chosen].pcie_only)
      chosen = i;
  }
  if (chosen < candidates.size()) return chosen;
  if (!candidates.empty())
    throw InputError({source, candidates[0].line + 1, 1},
                     "found only the matrix of `nvidia-smi topo -p2p`, which has no link types; "
                     "expected the output of `nvidia-smi topo -m`");
  throw InputError({source, 0, 0},
                   "found no table of GPUs, expected the output of `nvidia-smi topo -m`");
}

class TableReader {
 public:
  TableReader(const Text& text, const Candidate& candidate, const std::string& source)
      : text_(text), header_(candidate.header), source_(source), line_(candidate.first_row) {
    table_.line = candidate.line + 1;
    table_.devices = header_.devices;
    table_.gpus = header_.gpus;
    table_.pcie_only = candidate.pcie_only;
    for (std::size_t i = 0; i < header_.devices.size(); ++i) index_[header_.devices[i]] = i;
  }

  TopoTable read(std::size_t end) {
    check_size();
    table_.rows.resize(header_.devices.size());
    last_filled_ = text_.size();
    while (last_filled_ > 0 && is_separator(text_[last_filled_ - 1])) --last_filled_;
    while (line_ < end && read_line(text_[line_])) ++line_;
    for (; line_ < end; ++line_) read_legend(text_[line_]);
    check_rows();
    return std::move(table_);
  }

 private:
  TextPosition here() const { return {source_, line_ + 1, 1}; }

  void check_size() const {
    if (header_.gpus <= most_topo_gpus && header_.devices.size() <= most_topo_devices) return;
    throw InputError({source_, table_.line, 1}, "found " + std::to_string(header_.gpus) +
                                                    " GPUs and " + std::to_string(table_.nics()) +
                                                    " NICs, expected at most " +
                                                    std::to_string(most_topo_gpus) + " GPUs and " +
                                                    std::to_string(most_topo_devices) + " devices");
  }

  // False: the table ends before this line.
  bool read_line(const std::string& line) {
    if (is_separator(line)) return true;
    const std::string label = topo_row_label(header_, line);
    const auto device = index_.find(label);
    if (device == index_.end()) return read_stranger(label, line);
    TopoRow& row = table_.rows[device->second];
    if (row.found) throw InputError(here(), "row " + label + " stands twice in one table");
    const bool cut_here = device->second >= header_.gpus && line_ + 1 == last_filled_;
    row = parse_topo_row(header_, line, here(), cut_here, table_.warnings);
    return true;
  }

  bool read_stranger(const std::string& label, const std::string& line) {
    const std::vector<std::string> words = topo_row_words(header_, line);
    if (words.empty() || !is_topo_token(words[0])) return false;
    if (is_gpu_name(label))
      throw InputError(here(), "row " + label + ": the header has no column " + label);
    if (!is_nic_name(label)) return false;
    table_.warnings.push_back("row " + label + " has no column and was left out");
    return true;
  }

  // "NIC0: mlx5_0", also several on one line.
  void read_legend(const std::string& line) {
    const std::vector<std::string_view> words = split_words(line);
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      if (!words[i].ends_with(':')) continue;
      const auto device = index_.find(words[i].substr(0, words[i].size() - 1));
      const bool nic = device != index_.end() && device->second >= header_.gpus;
      if (nic && is_nic_name(words[i + 1]))
        table_.legend.emplace(device->first, std::string(words[i + 1]));
    }
  }

  void check_rows() const {
    std::vector<std::string> missing;
    for (std::size_t i = 0; i < header_.gpus; ++i)
      if (!table_.rows[i].found) missing.push_back(header_.devices[i]);
    if (!missing.empty())
      throw InputError({source_, table_.line, 1},
                       "the header names " + std::to_string(header_.gpus) +
                           " GPUs, but no whole row was found for " + join(missing, ", "));
    for (std::size_t i = 0; i < header_.gpus; ++i)
      for (std::size_t j = 0; j < header_.gpus; ++j) check_cell(i, j);
  }

  void check_cell(std::size_t i, std::size_t j) const {
    const TopoRow& row = table_.rows[i];
    const std::string where = "row " + header_.devices[i] + ", column " + header_.devices[j];
    if ((row.cells[j] == "X") != (i == j))
      throw InputError({source_, row.line, 1}, where + ": found " + quoted(row.cells[j]) +
                                                   ", expected X on the diagonal and only there");
    if (row.cells[j] != table_.rows[j].cells[i])
      throw InputError({source_, row.line, 1},
                       where + ": found " + quoted(row.cells[j]) + ", but row " +
                           header_.devices[j] + ", column " + header_.devices[i] + " says " +
                           quoted(table_.rows[j].cells[i]) + "; expected a symmetric matrix");
  }

  const Text& text_;
  const TopoHeader& header_;
  const std::string& source_;
  std::size_t line_;  // an index
  std::size_t last_filled_ = 0;
  std::map<std::string, std::size_t, std::less<>> index_;
  TopoTable table_;
};

}  // namespace

bool has_topo_table(std::string_view text) {
  if (text.find("GPU") == text.npos) return false;
  const Text lines(text);
  for (std::size_t line = 0; line < lines.size(); ++line)
    if (candidate_at(lines, line)) return true;
  return false;
}

TopoTable parse_topo_table(std::string_view text, const std::string& source) {
  const Text lines(text);
  const std::vector<Candidate> candidates = candidates_in(lines);
  const std::size_t chosen = chosen_of(candidates, source);
  const std::size_t end =
      chosen + 1 < candidates.size() ? candidates[chosen + 1].line : lines.size();
  TopoTable table = TableReader(lines, candidates[chosen], source).read(end);
  for (std::size_t i = chosen + 1; i < candidates.size(); ++i)
    table.further_tables += candidates[i].matrix == Matrix::links ? 1 : 0;
  return table;
}

}  // namespace rankmap
