// The table of formats, and how a text is told to be one of them.
#include "libmap/mapping/read/map_reader.hpp"

#include <algorithm>
#include <array>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/mapping/map_file.hpp"
#include "libmap/mapping/read/readers.hpp"

namespace rankmap {
namespace {

// The first line that says something; "" if none does. Without a copy of all lines.
std::string_view first_words(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = trim(text.substr(0, text.find('\n')));
    if (!line.empty() && line.front() != '#' && !line.starts_with("/")) return line;
    text.remove_prefix(
        std::min(text.size(), text.find('\n') == text.npos ? text.size() : text.find('\n') + 1));
  }
  return {};
}

bool is_map_file(std::string_view text) {
  return text.starts_with("# rankmap ");
}

bool is_csv(std::string_view text) {
  const std::string_view line = first_words(text);
  return line.starts_with("rank,") && line.find("host") != line.npos;
}

bool is_rankfile(std::string_view text) {
  const std::string_view line = first_words(text);
  return line.starts_with("rank") && line.find('=') != line.npos;
}

bool is_only(std::string_view line, std::string_view characters) {
  return !line.empty() && line.find_first_not_of(characters) == line.npos;
}

bool is_bluegene(std::string_view text) {
  const std::string_view line = first_words(text);
  return is_only(line, "0123456789 \t") && line.find_first_of(" \t") != line.npos;
}

bool is_rank_order(std::string_view text) {
  return is_only(first_words(text), "0123456789,- \t");
}

bool is_any(std::string_view) {
  return true;
}

Mapping read_own(std::string_view text, const std::string& source, const Machine& machine) {
  return mapping_of(read_map(text, source), machine);
}

template <ForeignMap (*Read)(std::string_view, const std::string&, const Machine&)>
Mapping placed(std::string_view text, const std::string& source, const Machine& machine) {
  return place_on(Read(text, source, machine), machine);
}

constexpr std::array formats = {
    MapFormat{"rankmap", "rankmap's own map file", is_map_file, read_own},
    MapFormat{"csv", "table with the columns rank and host, and gpu, cores or cpus", is_csv,
              placed<read_csv_map>},
    MapFormat{"rankfile", "rankfile of Open MPI and PRRTE", is_rankfile, placed<read_rankfile>},
    MapFormat{"bluegene", "Blue Gene map file: coordinates and T, a line a rank", is_bluegene,
              placed<read_bluegene_map>},
    MapFormat{"rank-order", "MPICH_RANK_ORDER of Cray MPICH", is_rank_order,
              placed<read_rank_order>},
    MapFormat{"hostfile", "SLURM_HOSTFILE: the host of every rank", is_any,
              placed<read_task_hosts>},
};

}  // namespace

std::span<const MapFormat> map_formats() {
  return formats;
}

Mapping read_mapping(std::string_view text, const std::string& source, std::string_view format,
                     const Machine& machine) {
  std::vector<std::string> names;
  for (const MapFormat& row : formats) {
    names.emplace_back(row.name);
    if (format.empty() ? row.recognises(text) : row.name == format)
      return row.read(text, source, machine);
  }
  throw UsageError::unknown("map format", format, names);
}

}  // namespace rankmap
