// What the ranks hold open against what they should.
#include <algorithm>
#include <map>
#include <set>

#include "libmap/base/text.hpp"
#include "libmap/mapping/live/live_placement.hpp"

namespace rankmap {
namespace {

void find(PlacementRow& row, PlacementVerdict verdict, const std::string& reason) {
  if (verdict < row.verdict) return;
  const bool joined = verdict == row.verdict && !row.reason.empty();
  row.reason = joined ? row.reason + "; " + reason : reason;
  row.verdict = verdict;
}

PlacementRow row_of(const LiveRank& rank, const std::string& host) {
  PlacementRow row;
  row.rank = rank.rank;
  row.host = host;
  row.verdict = PlacementVerdict::ok;
  row.seen.job = rank.job;
  row.seen.pid = rank.pid;
  row.seen.cpus = rank.cpus;
  row.seen.gpus = join(rank.devices, "+");
  std::vector<std::string> parts;
  if (!rank.devices.empty()) parts.push_back("opened " + join(rank.devices, ", "));
  if (!rank.cpus.empty()) parts.push_back("cpus " + rank.cpus.to_string());
  row.actual = "pid " + std::to_string(rank.pid) + (parts.empty() ? "" : ", " + join(parts, ", "));
  return row;
}

// Domains are written with four or eight digits.
std::string short_bus_id(const std::string& id) {
  const std::string lower = to_lower(id);
  return lower.substr(std::min(lower.size(), lower.find_first_not_of('0')));
}

bool is_planned(const MapRow& plan, int gpu, const std::string& bus_id) {
  const bool by_bus_id = plan.gpu_id.find(':') != std::string::npos;
  return by_bus_id ? short_bus_id(plan.gpu_id) == short_bus_id(bus_id) : plan.gpu == gpu;
}

void judge_gpus(PlacementRow& row, const LiveRank& rank) {
  if (row.plan.gpu == none || row.plan.gpu_id.starts_with("MIG-")) return;
  if (rank.gpus.empty()) {
    if (row.plan.vendor.empty()) find(row, PlacementVerdict::note, "has opened no GPU yet");
    return;
  }
  bool own = false;
  std::vector<std::string> others;
  for (std::size_t i = 0; i < rank.gpus.size(); ++i) {
    const bool planned = is_planned(row.plan, rank.gpus[i], rank.gpu_ids[i]);
    own = own || planned;
    if (!planned) others.push_back(std::to_string(rank.gpus[i]));
  }
  const std::string plan = std::to_string(row.plan.gpu);
  if (!others.empty())
    find(row, PlacementVerdict::wrong,
         "holds GPU " + join(others, ", ") + " open" + (own ? " beside" : " instead of") +
             " the planned " + plan);
}

void judge_cpus(PlacementRow& row, const LiveRank& rank) {
  if (row.plan.cpus.empty() || rank.cpus.empty() || row.plan.cpus.contains_all(rank.cpus)) return;
  find(row, PlacementVerdict::wrong,
       "may run on CPUs " + rank.cpus.to_string() + ", planned " + row.plan.cpus.to_string());
}

bool same_host(const std::string& planned, const std::string& host) {
  return planned == "*" || planned == "localhost" ||
         planned.substr(0, planned.find('.')) == host.substr(0, host.find('.'));
}

using Holders = std::map<std::pair<std::string, std::string>, std::vector<std::string>>;

// Job and device -> the ranks that hold it open.
Holders holders_of(const std::vector<LiveRank>& ranks) {
  Holders holders;
  for (const LiveRank& rank : ranks)
    for (const std::string& device : rank.devices)
      holders[{rank.job, device}].push_back(std::to_string(rank.rank));
  return holders;
}

// ROCm and Level Zero open the render nodes of all GPUs that they see, used or not.
void judge_sharing(PlacementRow& row, const LiveRank& rank, const Holders& holders) {
  for (const std::string& device : rank.devices) {
    const std::vector<std::string>& who = holders.at({rank.job, device});
    if (who.size() < 2) continue;
    const bool render = device.starts_with("renderD");
    find(row, render ? PlacementVerdict::note : PlacementVerdict::wrong,
         device + " is held open by ranks " + join(who, ", "));
  }
}

}  // namespace

std::vector<PlacementRow> judge_live(const std::vector<LiveRank>& ranks, const MapFile& map,
                                     const std::string& host) {
  std::vector<PlacementRow> rows;
  for (const MapRow& plan : map.rows) {
    if (!same_host(plan.host, host)) continue;
    const auto found = std::find_if(ranks.begin(), ranks.end(),
                                    [&](const LiveRank& rank) { return rank.rank == plan.rank; });
    PlacementRow row;
    if (found != ranks.end()) row = row_of(*found, host);
    row.rank = plan.rank;
    row.plan = plan;
    if (found == ranks.end()) {
      row.reason = "no process of this rank runs here";
    } else {
      judge_gpus(row, *found);
      judge_cpus(row, *found);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<std::string> jobs_of(const std::vector<LiveRank>& ranks) {
  std::set<std::string> jobs;
  for (const LiveRank& rank : ranks) jobs.insert(rank.job);
  return {jobs.begin(), jobs.end()};
}

std::vector<LiveRank> ranks_of_job(const std::vector<LiveRank>& ranks, const std::string& job) {
  std::vector<LiveRank> chosen;
  for (const LiveRank& rank : ranks)
    if (rank.job == job) chosen.push_back(rank);
  return chosen;
}

std::vector<std::string> jobs_that_fit(const std::vector<LiveRank>& ranks, const MapFile& map,
                                       const std::string& host) {
  std::set<Rank> planned;
  for (const MapRow& row : map.rows)
    if (same_host(row.host, host)) planned.insert(row.rank);
  std::vector<std::string> fitting;
  for (const std::string& job : jobs_of(ranks)) {
    std::set<Rank> running;
    for (const LiveRank& rank : ranks_of_job(ranks, job)) running.insert(rank.rank);
    if (running == planned) fitting.push_back(job);
  }
  return fitting;
}

std::string live_summary(const std::vector<LiveRank>& ranks,
                         const std::vector<PlacementRow>& rows) {
  const auto wrong = std::count_if(rows.begin(), rows.end(), [](const PlacementRow& row) {
    return row.verdict == PlacementVerdict::wrong;
  });
  const std::size_t jobs = jobs_of(ranks).size();
  return std::to_string(rows.size()) + " ranks of " + std::to_string(jobs) +
         (jobs == 1 ? " job run here; " : " jobs run here; ") +
         (wrong == 0 ? "none shares a GPU that another rank of its job holds open"
                     : std::to_string(wrong) + " share a GPU with another rank of their job");
}

std::vector<PlacementRow> judge_live(const std::vector<LiveRank>& ranks, const std::string& host) {
  const Holders holders = holders_of(ranks);
  std::vector<PlacementRow> rows;
  for (const LiveRank& rank : ranks) {
    rows.push_back(row_of(rank, host));
    if (jobs_of(ranks).size() > 1)
      rows.back().actual = "job " + quoted(rank.job) + ", " + rows.back().actual;
    judge_sharing(rows.back(), rank, holders);
  }
  return rows;
}

}  // namespace rankmap
