#include "libmap/machine/read/nvidia_topo_rows.hpp"

#include <algorithm>

#include "libmap/base/text.hpp"

namespace rankmap {
namespace {

std::vector<TopoColumn> titles_of(const TopoHeader& header) {
  std::vector<TopoColumn> titles;
  for (const TopoColumn column : header.columns)
    if (column != TopoColumn::device && column != TopoColumn::label) titles.push_back(column);
  return titles;
}

std::string* field_of(TopoRow& row, TopoColumn column) {
  if (column == TopoColumn::cpu_affinity) return &row.cpu_affinity;
  if (column == TopoColumn::numa_affinity) return &row.numa_affinity;
  if (column == TopoColumn::gpu_numa_id) return &row.gpu_numa_id;
  return nullptr;
}

// Blanks and the empty cells that a page turned into text leaves at the end.
std::string_view without_tail(std::string_view line) {
  while (!line.empty() && (line.back() == '|' || line.back() == ' ')) line.remove_suffix(1);
  return line;
}

// As printed: one tab between cells, and one more before the GPU NUMA ID than the header has.
bool read_tabbed(const TopoHeader& header, std::string_view line, TopoRow& row) {
  const std::vector<std::string_view> fields = split(line, '\t');
  const std::size_t devices = header.devices.size();
  if (fields.size() <= devices) return false;
  for (std::size_t i = 1; i <= devices; ++i)
    if (!is_topo_token(trim(fields[i]))) return false;
  const std::vector<TopoColumn> titles = titles_of(header);
  const bool gpu_numa = !titles.empty() && titles.back() == TopoColumn::gpu_numa_id;
  const std::size_t extras = fields.size() - 1 - devices;
  if (extras > titles.size() + (gpu_numa ? 1 : 0)) return false;
  for (std::size_t i = devices + 1; i < fields.size(); ++i)
    if (split_words(fields[i]).size() > 1) return false;

  for (std::size_t i = 1; i <= devices; ++i) row.cells.emplace_back(trim(fields[i]));
  for (std::size_t i = 0; i < extras; ++i) {
    const std::string_view value = trim(fields[devices + 1 + i]);
    std::string* field = field_of(row, titles[std::min(i, titles.size() - 1)]);
    if (field != nullptr && !value.empty()) *field = value;
  }
  return true;
}

bool is_list(std::string_view word) {
  return word.find_first_of("-,") != word.npos;
}

// The words behind the cells, when blanks separate them: an empty field leaves no trace.
void read_titles(const TopoHeader& header, std::vector<std::string> words, TopoRow& row,
                 std::string_view label, std::vector<std::string>& warnings) {
  const std::vector<TopoColumn> titles = titles_of(header);
  const auto link = [](const std::string& word) { return word != "N/A" && is_topo_token(word); };
  const auto first = std::find_if_not(words.begin(), words.end(), link);
  if (first != words.begin())
    warnings.push_back("row " + std::string(label) + ": cells without a column were left out");
  words.erase(words.begin(), first);
  if (words.empty() || titles.empty()) return;
  if (words.size() < titles.size() && !is_list(words[0])) {
    warnings.push_back("row " + std::string(label) +
                       ": the affinity columns cannot be told apart, its affinity is unknown");
    return;
  }
  std::size_t title = 0;
  for (const std::string& word : words) {
    const bool short_of_one = words.size() < titles.size() && &word == &words.back();
    const bool last_title = short_of_one && word == "N/A" && title + 1 < titles.size();
    if (last_title) title = titles.size() - 1;
    if (title >= titles.size()) break;
    if (std::string* field = field_of(row, titles[title++])) *field = word;
  }
}

[[noreturn]] void refuse_cell(const TopoHeader& header, std::size_t column, std::string_view label,
                              std::string_view found, const TextPosition& where) {
  throw InputError(where, "row " + std::string(label) + ", column " + header.devices[column] +
                              ": found " + quoted(found) +
                              ", expected X, NV and a number, PIX, PXB, PHB, NODE or SYS "
                              "(the table is damaged)");
}

TopoRow read_words(const TopoHeader& header, std::string_view label,
                   const std::vector<std::string>& words, const TextPosition& where, bool cut_here,
                   std::vector<std::string>& warnings) {
  TopoRow row;
  const std::size_t devices = header.devices.size();
  for (std::size_t i = 0; i < std::min(devices, words.size()); ++i) {
    if (is_topo_token(words[i])) continue;
    if (cut_here && i + 1 == words.size()) return row;
    refuse_cell(header, i, label, words[i], where);
  }
  if (words.size() < devices) {
    if (cut_here) return row;
    throw InputError(where, "row " + std::string(label) + ": found " +
                                std::to_string(words.size()) + " cells, expected " +
                                std::to_string(devices) + ", up to column " +
                                header.devices.back());
  }
  const auto end = words.begin() + static_cast<std::ptrdiff_t>(devices);
  row.cells.assign(words.begin(), end);
  read_titles(header, {end, words.end()}, row, label, warnings);
  row.found = true;
  return row;
}

TopoRow read_pipes(const TopoHeader& header, std::string_view label,
                   const std::vector<std::string>& cells, const TextPosition& where,
                   bool cut_here) {
  TopoRow row;
  if (cells.size() < header.columns.size()) {
    if (cut_here) return row;
    throw InputError(where, "row " + std::string(label) + ": found " +
                                std::to_string(cells.size()) + " columns, expected " +
                                std::to_string(header.columns.size()));
  }
  for (std::size_t i = 0; i < header.columns.size(); ++i) {
    if (header.columns[i] == TopoColumn::device) {
      if (!is_topo_token(cells[i])) refuse_cell(header, row.cells.size(), label, cells[i], where);
      row.cells.push_back(cells[i]);
    } else if (std::string* field = field_of(row, header.columns[i])) {
      *field = cells[i];
    }
  }
  row.found = true;
  return row;
}

std::size_t label_column(const TopoHeader& header) {
  const auto label = std::find(header.columns.begin(), header.columns.end(), TopoColumn::label);
  return static_cast<std::size_t>(label - header.columns.begin());
}

}  // namespace

std::string topo_row_label(const TopoHeader& header, std::string_view line) {
  if (header.pipes) {
    const std::vector<std::string> cells = pipe_cells(line);
    const std::size_t column = label_column(header);
    return column < cells.size() ? cells[column] : std::string();
  }
  const std::vector<std::string_view> words = split_words(line);
  return words.empty() ? std::string() : std::string(words[0]);
}

std::vector<std::string> topo_row_words(const TopoHeader& header, std::string_view line) {
  std::vector<std::string> words;
  if (header.pipes) {
    const std::vector<std::string> cells = pipe_cells(line);
    for (std::size_t i = 0; i < std::min(cells.size(), header.columns.size()); ++i)
      if (header.columns[i] == TopoColumn::device) words.push_back(cells[i]);
    return words;
  }
  const std::vector<std::string_view> all = split_words(without_tail(line));
  for (std::size_t i = 1; i < all.size(); ++i) words.emplace_back(all[i]);
  return words;
}

TopoRow parse_topo_row(const TopoHeader& header, std::string_view line, const TextPosition& where,
                       bool cut_here, std::vector<std::string>& warnings) {
  const std::string label = topo_row_label(header, line);
  TopoRow row;
  if (header.pipes) {
    row = read_pipes(header, label, pipe_cells(line), where, cut_here);
  } else if (read_tabbed(header, line, row)) {
    row.found = true;
  } else {
    row = read_words(header, label, topo_row_words(header, line), where, cut_here, warnings);
  }
  row.line = where.line;
  return row;
}

}  // namespace rankmap
