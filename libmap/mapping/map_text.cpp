// The map file as text: MapFile <-> bytes, on top of the C record.
#include <array>
#include <utility>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/mapping/map_file.hpp"
#include "libmap/wire/wire.h"

namespace rankmap {
namespace {

using ColumnWidths = std::array<std::size_t, RANKMAP_WIRE_COLUMNS>;

// The columns of a row as texts, which a rankmap_wire_row points into.
struct RowTexts {
  std::string node_gpus, cpus, memory, flags;

  explicit RowTexts(const MapRow& row) : cpus(row.cpus.to_string()) {
    for (const int gpu : row.node_gpus)
      node_gpus += (node_gpus.empty() ? "" : ",") + std::to_string(gpu);
    if (!row.memory_nodes.empty())
      memory = (row.memory_policy.empty() ? "preferred" : row.memory_policy) + ":" +
               row.memory_nodes.to_string();
    if (!row.cores.empty()) add_flag("cores=" + row.cores.to_string());
    if (row.slot != none) add_flag("slot=" + std::to_string(row.slot));
    if (!row.vendor.empty()) add_flag("vendor=" + row.vendor);
    if (!row.tile.empty()) add_flag("tile=" + row.tile);
  }

  void add_flag(const std::string& flag) { flags += (flags.empty() ? "" : ";") + flag; }

  rankmap_wire_row wire(const MapRow& row) const {
    return {row.rank,        row.gpu,      row.host.c_str(), row.gpu_id.c_str(), node_gpus.c_str(),
            row.nic.c_str(), cpus.c_str(), memory.c_str(),   flags.c_str()};
  }
};

// An escaped name of at most `limit` characters, cut without splitting an escape; never empty.
std::string header_name(const std::string& name, std::size_t limit) {
  std::string result;
  for (const char c : name) {
    char one[4];
    const char text[2] = {c, '\0'};
    if (c == '\0' || rankmap_wire_escape(text, one, sizeof one) == 0) continue;
    if (result.size() + std::string_view(one).size() > limit) break;
    result += one;
  }
  return result.empty() ? "-" : result;
}

std::string plain_name(const char* escaped) {
  char plain[RANKMAP_WIRE_HEADER_SIZE];
  if (rankmap_wire_unescape(escaped, plain, sizeof plain) == 0) throw Bug("unchecked name");
  return std::string_view(plain) == "-" ? "" : plain;
}

std::size_t length_of(const char* text) {
  const std::size_t length = std::string_view(text).size();
  return length == 0 ? 1 : length;
}

// Widens the columns for a row; the last one is never padded.
void widen(ColumnWidths& widths, const rankmap_wire_row& row) {
  const std::string rank = std::to_string(row.rank), gpu = std::to_string(row.gpu);
  const ColumnWidths needed = {
      rank.size(),           length_of(row.host),      row.gpu < 0 ? 1 : gpu.size(),
      length_of(row.gpu_id), length_of(row.node_gpus), length_of(row.nic),
      length_of(row.cpus),   length_of(row.memory),    length_of(row.flags)};
  for (std::size_t i = 0; i < needed.size(); ++i) widths[i] = std::max(widths[i], needed[i]);
}

std::string render(const MapRow& row, const ColumnWidths* widths, std::size_t width) {
  const RowTexts texts(row);
  const rankmap_wire_row wire = texts.wire(row);
  char line[RANKMAP_WIRE_MAX_WIDTH];
  std::size_t length = 0;
  const rankmap_wire_status status = rankmap_wire_render_line(
      &wire, widths == nullptr ? nullptr : widths->data(), width, line, &length);
  if (status != RANKMAP_WIRE_OK)
    throw Infeasible("rank " + std::to_string(row.rank) +
                     " cannot be written in a map file: " + rankmap_wire_message(status));
  return std::string(line, length);
}

// Columns aligned where that fits a line, else just joined.
std::string render_body(const MapFile& map, std::size_t& width) {
  ColumnWidths widths{};
  std::size_t longest = 0;
  for (const MapRow& row : map.rows) {
    const RowTexts texts(row);
    widen(widths, texts.wire(row));
    longest = std::max(longest, render(row, nullptr, 0).size());
  }
  std::size_t aligned = widths.size();  // the blanks between, and the newline
  for (const std::size_t column : widths) aligned += column;
  const bool fits = aligned <= RANKMAP_WIRE_MAX_WIDTH;
  width = fits ? aligned : longest;
  std::string body;
  for (const MapRow& row : map.rows) body += render(row, fits ? &widths : nullptr, width);
  return body;
}

CpuSet list_of(std::string_view text) {
  const std::optional<CpuSet> set = CpuSet::parse_list(text);
  if (!set) throw Bug("unchecked list in a map line");
  return *set;
}

std::string_view flag(const rankmap_wire_row& row, const char* name) {
  std::size_t length = 0;
  const char* const value = rankmap_wire_flag(row.flags, name, &length);
  return value == nullptr ? std::string_view() : std::string_view(value, length);
}

MapRow row_of(const rankmap_wire_row& wire) {
  MapRow row;
  row.rank = wire.rank;
  row.host = wire.host;
  row.gpu = wire.gpu;
  row.gpu_id = wire.gpu_id;
  row.nic = wire.nic;
  row.cpus = list_of(wire.cpus);
  row.cores = list_of(flag(wire, "cores"));
  row.vendor = flag(wire, "vendor");
  if (row.vendor == "nvidia") row.vendor.clear();
  row.tile = flag(wire, "tile");
  row.slot = static_cast<int>(parse_integer(flag(wire, "slot")).value_or(none));
  const std::string_view gpus = wire.node_gpus, memory = wire.memory;
  if (!gpus.empty())
    for (const std::string_view gpu : split(gpus, ','))
      row.node_gpus.push_back(static_cast<int>(parse_integer(gpu).value()));
  if (!memory.empty()) {
    const std::size_t colon = memory.find(':');
    row.memory_policy = memory.substr(0, colon);
    row.memory_nodes = list_of(memory.substr(colon + 1));
  }
  return row;
}

void set_name(char* field, std::size_t limit, const std::string& name) {
  const std::string text = header_name(name, limit);
  text.copy(field, text.size());
  field[text.size()] = '\0';
}

}  // namespace

std::string write_map(const MapFile& map) {
  rankmap_wire_header header{};
  std::size_t width = 0;
  const std::string body = render_body(map, width);
  header.ranks = static_cast<std::int32_t>(map.rows.size());
  header.width = static_cast<std::uint32_t>(width);
  header.body = rankmap_wire_checksum(body.data(), body.size());
  header.hosts_unnamed = map.hosts_unnamed ? 1 : 0;
  set_name(header.machine, RANKMAP_WIRE_MAX_MACHINE, map.machine);
  set_name(header.objective, RANKMAP_WIRE_MAX_OBJECTIVE, map.objective);
  char text[RANKMAP_WIRE_HEADER_SIZE];
  const rankmap_wire_status status = rankmap_wire_render_header(&header, text);
  if (status != RANKMAP_WIRE_OK)
    throw Infeasible(std::string("the map cannot be written: ") + rankmap_wire_message(status));
  return std::string(text, sizeof text) + body;
}

std::string map_sum(std::string_view text) {
  constexpr std::string_view key = " body=";
  constexpr std::size_t digits = 16;
  const std::size_t at = text.substr(0, RANKMAP_WIRE_HEADER_SIZE).find(key);
  if (at == std::string_view::npos) throw Bug("a map without its checksum");
  return std::string(text.substr(at + key.size(), digits));
}

MapFile read_map(std::string_view text, const std::string& source) {
  rankmap_wire_header header{};
  const rankmap_wire_fault fault = rankmap_wire_verify(text.data(), text.size(), &header);
  if (fault.status != RANKMAP_WIRE_OK)
    throw InputError({source, fault.line, fault.column}, rankmap_wire_message(fault.status));
  MapFile map{
      plain_name(header.machine), plain_name(header.objective), header.hosts_unnamed != 0, {}};
  map.rows.reserve(static_cast<std::size_t>(header.ranks));
  for (std::int32_t rank = 0; rank < header.ranks; ++rank) {
    char line[RANKMAP_WIRE_MAX_WIDTH];
    rankmap_wire_row row{};
    text.copy(line, header.width,
              RANKMAP_WIRE_HEADER_SIZE + static_cast<std::size_t>(rank) * header.width);
    if (rankmap_wire_parse_line(line, header.width, rank, &row, nullptr) != RANKMAP_WIRE_OK)
      throw Bug("a verified map line does not read");
    map.rows.push_back(row_of(row));
  }
  return map;
}

}  // namespace rankmap
