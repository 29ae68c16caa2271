#include "libmap/machine/job/job_nodes.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <optional>

#include "libmap/base/error.hpp"
#include "libmap/base/files.hpp"
#include "libmap/base/text.hpp"
#include "libmap/machine/json/machine_json.hpp"
#include "libmap/machine/reader.hpp"

namespace rankmap {
namespace {

namespace fs = std::filesystem;

struct ProbedRank {
  Rank rank = none;
  Rank local_rank = none;
  std::int64_t size = 0;
  std::string host;
};

constexpr Bytes probe_limit = 1 << 16;

bool is_host_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(),
                                      [](unsigned char c) { return std::isgraph(c) != 0; });
}

ProbedRank read_probe(const std::string& path) {
  const std::string text = read_text(path, probe_limit);
  const std::vector<std::string_view> lines = split_lines(text);
  if (lines.empty() || lines.front() != "rankmap-probe 1")
    throw InputError({path, 1, 1}, "not the record of a probe, expected rankmap-probe 1");
  std::map<std::string_view, std::string_view> fields;
  for (const std::string_view line : lines)
    fields.emplace(line.substr(0, line.find(' ')),
                   line.substr(std::min(line.size(), line.find(' ') + 1)));
  const auto number = [&](const char* key) { return parse_integer(fields[key]).value_or(none); };
  constexpr std::int64_t most = 1 << 24;
  ProbedRank found{static_cast<Rank>(std::clamp<std::int64_t>(number("rank"), none, most)),
                   static_cast<Rank>(std::clamp<std::int64_t>(number("local_rank"), none, most)),
                   number("size"), std::string(fields["host"])};
  if (found.rank < 0 || !is_host_name(found.host))
    throw InputError({path, 1, 1}, "a damaged record, expected a rank and a host");
  return found;
}

std::vector<ProbedRank> read_probes(const std::string& folder) {
  std::vector<ProbedRank> ranks;
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
    const std::string name = entry.path().filename().string();
    const std::optional<std::int64_t> rank =
        name.starts_with("probe.") ? parse_integer(name.substr(6)) : std::nullopt;
    if (!rank) continue;
    ranks.push_back(read_probe(entry.path().string()));
    if (ranks.back().rank != *rank)
      throw InputError({entry.path().string(), 1, 1}, "rank " + std::to_string(ranks.back().rank) +
                                                          " stands in the file of rank " +
                                                          std::to_string(*rank));
  }
  if (failed) throw SystemError("cannot read the folder " + rankmap::quoted(folder));
  std::sort(ranks.begin(), ranks.end(),
            [](const ProbedRank& a, const ProbedRank& b) { return a.rank < b.rank; });
  return ranks;
}

void check_complete(const std::vector<ProbedRank>& ranks) {
  if (ranks.empty())
    throw NotAvailable(
        "no rank of the job told where it is; is the current folder seen from its nodes?");
  const std::int64_t size = std::max<std::int64_t>(ranks.front().size, ranks.back().rank + 1);
  if (static_cast<std::int64_t>(ranks.size()) != size)
    throw NotAvailable("only " + std::to_string(ranks.size()) + " of " + std::to_string(size) +
                       " ranks told where they are; is the current folder seen from all nodes?");
}

// As the probe spells a host in the names of files.
std::string file_name_of(std::string host) {
  for (char& c : host)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '-' && c != '_')
      c = '_';
  return host;
}

// The first line that is no mere warning; else the first.
std::string reason_of(const std::string& said) {
  const std::vector<std::string_view> lines = split_lines(said);
  if (lines.empty()) return "";
  const auto error = std::find_if(lines.begin(), lines.end(), [](std::string_view line) {
    return !trim(line).empty() && line.find("warning:") == std::string_view::npos;
  });
  return std::string(trim(error == lines.end() ? lines.front() : *error));
}

NodeModel model_of(const std::string& folder, const std::string& host) {
  const std::string stem = folder + "/node." + file_name_of(host);
  if (is_regular_file(stem + ".json"))
    return read_node_model(read_text(stem + ".json"), stem + ".json");
  const bool said = is_regular_file(stem + ".err");
  const std::string why = said ? reason_of(read_text(stem + ".err", probe_limit)) : "";
  throw NotAvailable("host " + host + " could not be examined" + (why.empty() ? "" : ": " + why));
}

// What makes two nodes one model: everything but names that differ from host to host.
std::string comparable(NodeModel model) {
  model.name.clear();
  model.warnings.clear();
  for (Gpu& gpu : model.gpus)
    if (!gpu.uuid.starts_with("MIG-")) gpu.uuid.clear();
  return machine_json(Machine(std::move(model), 1));
}

}  // namespace

std::vector<JobNode> read_job_nodes(const std::string& folder) {
  std::vector<ProbedRank> ranks = read_probes(folder);
  check_complete(ranks);
  // By local rank where the launcher tells it; a host listed twice has several local ranks 0.
  std::map<std::string, std::vector<ProbedRank>> by_host;
  std::vector<JobNode> nodes;
  for (const ProbedRank& rank : ranks) {
    std::vector<ProbedRank>& of_host = by_host[rank.host];
    if (of_host.empty()) nodes.push_back({rank.host, {}, {}});
    of_host.push_back(rank);
  }
  for (JobNode& node : nodes) {
    std::vector<ProbedRank>& of_host = by_host[node.host];
    std::stable_sort(of_host.begin(), of_host.end(), [](const ProbedRank& a, const ProbedRank& b) {
      return a.local_rank < b.local_rank;
    });
    for (const ProbedRank& rank : of_host) node.ranks.push_back(rank.rank);
    node.model = model_of(folder, node.host);
  }
  return nodes;
}

AlikeNodes alike_nodes(const std::vector<JobNode>& nodes) {
  if (nodes.empty()) throw NotAvailable("the job has no nodes");
  std::vector<std::string> hosts;
  const std::string first = comparable(nodes.front().model);
  for (const JobNode& node : nodes) {
    hosts.push_back(node.host);
    if (comparable(node.model) != first)
      throw Infeasible("the nodes " + nodes.front().host + " and " + node.host +
                       " of this job are not alike, and one machine has nodes of one model; "
                       "`rankmap run` without a map places each rank on its own node");
  }
  NodeModel model = nodes.front().model;
  for (Gpu& gpu : model.gpus)
    if (nodes.size() > 1 && !gpu.uuid.starts_with("MIG-")) gpu.uuid.clear();
  if (hosts.front() == "*") hosts.clear();
  return {std::move(model), static_cast<NodeId>(nodes.size()), std::move(hosts)};
}

Machine machine_of_job(const std::vector<JobNode>& nodes) {
  AlikeNodes alike = alike_nodes(nodes);
  Machine machine(std::move(alike.model), alike.count);
  machine.set_name("job");
  if (!alike.hosts.empty()) machine.set_hosts(std::move(alike.hosts));
  return machine;
}

}  // namespace rankmap
