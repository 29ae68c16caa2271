#include "libmap/machine/read/nvlink_status.hpp"

#include <algorithm>
#include <optional>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"

namespace rankmap {
namespace {

constexpr std::int64_t most_gpus = 4096;

// "Word 12: rest" -> 12, and the rest; nullopt: another line.
struct NumberedLine {
  int number;
  std::string_view rest;
};

std::optional<NumberedLine> numbered(std::string_view line, std::string_view word) {
  if (!line.starts_with(word)) return std::nullopt;
  line.remove_prefix(word.size());
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !line.starts_with(' ')) return std::nullopt;
  const std::optional<std::int64_t> number = parse_integer(trim(line.substr(0, colon)));
  if (!number || *number < 0 || *number >= most_gpus) return std::nullopt;
  return NumberedLine{static_cast<int>(*number), trim(line.substr(colon + 1))};
}

NvlinkStatus gpu_row(const NumberedLine& line) {
  NvlinkStatus row;
  row.gpu = line.number;
  const std::size_t uuid = line.rest.rfind("(UUID:");
  row.name = trim(line.rest.substr(0, uuid));
  if (uuid != std::string_view::npos) {
    const std::string_view inside = line.rest.substr(uuid + 6);
    row.uuid = trim(inside.substr(0, inside.find(')')));
  }
  return row;
}

void add_link(NvlinkStatus& row, std::string_view speed) {
  ++row.links_seen;
  if (!speed.ends_with("GB/s")) return;
  const std::optional<double> gbps = parse_real(trim(speed.substr(0, speed.size() - 4)));
  if (!gbps || *gbps <= 0 || *gbps > 1e6) return;
  ++row.active_links;
  row.gbps = std::max(row.gbps, *gbps);
}

bool has_links(const NvlinkStatus& row) {
  return row.links_seen > 0 || row.all_inactive;
}

}  // namespace

std::vector<NvlinkStatus> find_nvlink_status(std::string_view text) {
  std::vector<NvlinkStatus> rows;
  for (const std::string_view raw : split_lines(text)) {
    const std::string_view line = trim(raw);
    if (const auto gpu = numbered(line, "GPU")) {
      rows.push_back(gpu_row(*gpu));
    } else if (const auto link = numbered(line, "Link")) {
      if (rows.empty()) rows.emplace_back();
      add_link(rows.back(), link->rest);
    } else if (!rows.empty() && line.find("all links are inActive") != std::string_view::npos) {
      rows.back().all_inactive = true;
    } else if (!rows.empty() && line.starts_with("...")) {
      rows.back().cut = true;
    }
  }
  return rows;
}

std::vector<NvlinkStatus> parse_nvlink_status(std::string_view text, const std::string& source) {
  std::vector<NvlinkStatus> rows = find_nvlink_status(text);
  if (std::none_of(rows.begin(), rows.end(), has_links))
    throw InputError({source, 0, 0}, std::string(trim(text).empty() ? "the text is empty"
                                                                    : "found no line \"Link\"") +
                                         ", expected the output of `nvidia-smi nvlink -s`");
  return rows;
}

bool recognises_nvlink_status(std::string_view text) {
  if (text.find("Link ") == std::string_view::npos && text.find("NVLink") == std::string_view::npos)
    return false;
  const std::vector<NvlinkStatus> rows = find_nvlink_status(text);
  return std::any_of(rows.begin(), rows.end(), has_links);
}

NodeModel read_nvlink_status(std::string_view text, const std::string& source,
                             const ReaderOptions&) {
  const std::vector<NvlinkStatus> rows = parse_nvlink_status(text, source);
  throw InputError({source, 0, 0},
                   "found the NVLink status of " + std::to_string(rows.size()) +
                       " GPUs, which does not say what is joined to what; expected the output of "
                       "`nvidia-smi topo -m`, with this file beside it as --nvlink FILE");
}

}  // namespace rankmap
