// Rankfiles. The limits are those of Open MPI 4.1.4 and PRRTE 3.0 as measured: a record of host and
// slot list goes through a buffer of 64 characters (longer: abort, or a list cut in silence), rank 0
// must come first, and names are cut at the first dot.
#include "libmap/mapping/formats/rankfile.hpp"

#include <algorithm>
#include <map>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/mapping/formats/layout.hpp"

namespace rankmap {
namespace {

constexpr std::size_t record_limit = 57;

[[noreturn]] void refuse(const MapRow& row, const std::string& why) {
  throw Infeasible("rank " + std::to_string(row.rank) + ": a rankfile cannot express this: " + why +
                   "; use `rankmap run` or `rankmap exec`, which read the map itself");
}

bool is_address(const std::string& host) {
  return host.find_first_not_of("0123456789.") == std::string::npos;
}

std::string short_name(const std::string& host) {
  return is_address(host) ? host : host.substr(0, host.find('.'));
}

bool is_rankfile_host(const std::string& host) {
  return !host.starts_with('-') && std::all_of(host.begin(), host.end(), [](unsigned char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
           c == '-' || c == '_';
  });
}

void check_row(const MapRow& row) {
  const std::string host = spelled_host(row.host);
  if (!is_rankfile_host(host)) refuse(row, "the host name " + quoted(host));
  if (row.cores.empty())
    refuse(row, row.cpus.empty() ? "its cores are not known, and every line needs a slot"
                                 : "its CPUs are known by OS number only, not as logical cores");
  const std::size_t length = host.size() + plain_list(row.cores).size();
  if (length > record_limit)
    refuse(row, "host and core list have " + std::to_string(length) + " characters, at most " +
                    std::to_string(record_limit) + " are safe");
}

// Names that differ only behind the first dot are one host to these launchers.
void check_short_names(const MapFile& map) {
  std::map<std::string, std::string> full;
  for (const MapRow& row : map.rows) {
    const auto [known, fresh] = full.emplace(short_name(row.host), row.host);
    if (!fresh && known->second != row.host)
      refuse(row, "the hosts " + known->second + " and " + row.host +
                      " are the same up to the first dot, where the launcher cuts them");
  }
}

// The first two ranks of a host that share a core; none: no such pair.
std::pair<Rank, Rank> overlapping_ranks(const MapFile& map) {
  std::map<std::pair<std::string, int>, Rank> owner;
  for (const MapRow& row : map.rows)
    for (const int core : row.cores.numbers()) {
      const auto [known, fresh] = owner.emplace(std::pair(row.host, core), row.rank);
      if (!fresh) return {known->second, row.rank};
    }
  return {none, none};
}

std::string comment_of(const MapRow& row) {
  std::vector<std::string> parts;
  const std::string id = row.gpu_id.empty() ? "" : " (" + row.gpu_id + ")";
  if (row.gpu != none) parts.push_back("GPU " + std::to_string(row.gpu) + id);
  if (!row.nic.empty()) parts.push_back("NIC " + row.nic);
  if (!row.cpus.empty()) parts.push_back("OS CPUs " + row.cpus.to_string());
  return "# rank " + std::to_string(row.rank) + ": " + join(parts, ", ");
}

std::string rankfile_text(const MapFile& map) {
  check_short_names(map);
  std::string text = comment_line(map, "slot = logical cores");
  std::string comments;
  for (const MapRow& row : map.rows) {
    check_row(row);
    text += "rank " + std::to_string(row.rank) + "=" + spelled_host(row.host) +
            " slot=" + plain_list(row.cores) + "\n";
    comments += comment_of(row) + "\n";
  }
  return text + comments;
}

std::string wrapped(const MapFile& map, const ExportOptions& options) {
  return " -np " + std::to_string(map.rows.size()) + " " +
         wrapped_program(options.map_path, options);
}

Export rankfile(const MapFile& map, const ExportOptions& options) {
  Export result;
  result.text = rankfile_text(map);
  result.file_name = options.file_name;
  result.notes.push_back(
      "the rankfile carries host and cores (logical core numbers); GPU, NIC and memory are applied "
      "by the wrapper, rankmap exec, from " +
      options.map_path);
  return result;
}

std::string overlap_note(const std::pair<Rank, Rank>& ranks) {
  return "ranks " + std::to_string(ranks.first) + " and " + std::to_string(ranks.second) +
         " share cores";
}

}  // namespace

std::string plain_list(const CpuSet& numbers) {
  std::string text;
  const std::vector<int>& all = numbers.numbers();
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::size_t last = i;
    while (last + 1 < all.size() && all[last + 1] == all[last] + 1) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(all[i]);
    if (last > i) text += "-" + std::to_string(all[last]);
    i = last;
  }
  return text;
}

std::string host_slots(const MapFile& map) {
  std::map<std::string, int> ranks;
  for (const MapRow& row : map.rows) ++ranks[row.host];
  std::vector<std::string> parts;
  for (const std::string& host : hosts_of(map))
    parts.push_back(spelled_host(host) + ":" + std::to_string(ranks[host]));
  return join(parts, ",");
}

Export write_openmpi4(const MapFile& map, const ExportOptions& options) {
  Export result = rankfile(map, options);
  result.command = "mpirun --host " + host_slots(map) + " -rf " + shell_word(result.file_name) +
                   wrapped(map, options);
  const std::pair<Rank, Rank> overlap = overlapping_ranks(map);
  if (overlap.first != none)
    result.notes.push_back(overlap_note(overlap) + "; Open MPI 4 accepts that without a word");
  return result;
}

Export write_prrte(const MapFile& map, const ExportOptions& options) {
  Export result = rankfile(map, options);
  const std::pair<Rank, Rank> overlap = overlapping_ranks(map);
  result.command = "prterun --host " + host_slots(map) +
                   " --map-by rankfile:file=" + shell_word(result.file_name);
  if (overlap.first != none) {
    result.command += " --bind-to :overload-allowed";
    result.notes.push_back(overlap_note(overlap) +
                           ", which PRRTE takes with :overload-allowed only");
  }
  result.command += wrapped(map, options);
  result.notes.push_back("Open MPI 5's mpirun takes the same options as prterun");
  return result;
}

}  // namespace rankmap
