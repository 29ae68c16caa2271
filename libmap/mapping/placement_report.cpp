// Reports of the shim (mpi_shim/report.c): lines of `key value`, judged against the map.
#include "libmap/mapping/placement_report.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <optional>

#include "libmap/base/error.hpp"
#include "libmap/base/files.hpp"
#include "libmap/base/text.hpp"

namespace rankmap {
namespace {

constexpr std::string_view first_line = "rankmap-report 1";
constexpr Bytes report_limit = 1 << 16;

using Fields = std::map<std::string_view, std::string_view>;

// What ranks wrote goes to terminals.
std::string without_control_characters(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if ((static_cast<unsigned char>(c) < ' ' && c != '\n') || c == '\x7f') c = '?';
  return result;
}

// nullopt: not a report.
std::optional<Fields> fields_of(std::string_view report) {
  const std::vector<std::string_view> lines = split_lines(report);
  if (lines.empty() || lines.front() != first_line) return std::nullopt;
  Fields fields;
  for (const std::string_view line : lines) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos) return std::nullopt;
    fields.emplace(line.substr(0, blank), line.substr(blank + 1));
  }
  return fields;
}

std::string_view value(const Fields& fields, std::string_view key) {
  const auto found = fields.find(key);
  return found == fields.end() ? std::string_view() : found->second;
}

CpuSet cpus(const Fields& fields, std::string_view key) {
  return CpuSet::parse_list(value(fields, key)).value_or(CpuSet());
}

int number(const Fields& fields, std::string_view key, int otherwise) {
  const std::optional<std::int64_t> found = parse_integer(value(fields, key));
  return found && *found >= none && *found <= 1 << 30 ? static_cast<int>(*found) : otherwise;
}

std::string known(const Fields& fields, std::string_view key) {
  const std::string_view text = value(fields, key);
  return text == "-" ? "" : std::string(text);
}

ActualPlacement seen_by(const Fields& fields) {
  ActualPlacement seen;
  seen.pid = number(fields, "pid", none);
  seen.launcher = known(fields, "launcher");
  seen.local_rank = number(fields, "local_rank", none);
  seen.gpu_mode = known(fields, "gpu_mode");
  seen.gpu_variable = known(fields, "gpu_variable");
  seen.gpus = known(fields, "gpu_actual");
  seen.gpu_device = known(fields, "gpu_device");
  seen.cpus = cpus(fields, "cpus_actual");
  seen.memory = known(fields, "memory_actual");
  seen.nic = known(fields, "nic_actual");
  seen.openmp = known(fields, "openmp");
  seen.mpi_peers = std::max(0, number(fields, "mpi_peers", 0));
  return seen;
}

CpuSet without(const CpuSet& a, const CpuSet& b) {
  CpuSet result;
  for (const int cpu : a.numbers())
    if (!b.contains(cpu)) result.add(cpu);
  return result;
}

std::string place(std::string_view gpu, const CpuSet& cpus) {
  std::vector<std::string> parts;
  if (!gpu.empty()) parts.push_back("gpu " + std::string(gpu));
  if (!cpus.empty()) parts.push_back("cpus " + cpus.to_string());
  return parts.empty() ? "nothing to place" : join(parts, ", ");
}

// Sentences end with a blank or a full stop and a blank in reports.
std::string sentence(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.remove_suffix(1);
  return std::string(text);
}

// The worse verdict stays; reasons of the same weight are joined.
void find(PlacementRow& row, PlacementVerdict verdict, const std::string& reason) {
  if (verdict < row.verdict || reason.empty()) return;
  const bool joined = verdict == row.verdict && !row.reason.empty();
  row.reason = joined ? row.reason + "; " + reason : reason;
  row.verdict = verdict;
}

bool same_host(std::string_view planned, std::string_view actual) {
  const bool anywhere = planned == "*" || planned == "localhost" || planned == actual ||
                        planned.find_first_not_of("0123456789.:") == std::string_view::npos;
  return anywhere || planned.substr(0, planned.find('.')) == actual.substr(0, actual.find('.'));
}

// The CPUs it runs on are those of the plan that exist here and are allowed.
void judge_cpus(PlacementRow& row, const MapRow& planned, const Fields& fields) {
  if (planned.cpus.empty()) return;
  const CpuSet actual = cpus(fields, "cpus_actual"), absent = cpus(fields, "cpus_absent"),
               barred = cpus(fields, "cpus_barred");
  const CpuSet expected = without(without(planned.cpus, absent), barred);
  if (!barred.empty())
    find(row, PlacementVerdict::note,
         "CPUs " + barred.to_string() + " are not allowed to this job");
  if (!absent.empty())
    find(row, PlacementVerdict::note, "CPUs " + absent.to_string() + " do not exist here");
  if (expected.empty() && !absent.empty()) return;  // nowhere to go: left as the launcher made it
  if (!(actual == expected))
    find(row, PlacementVerdict::wrong,
         "runs on CPUs " + actual.to_string() + ", planned " + expected.to_string());
}

void judge_gpu(PlacementRow& row, const MapRow& planned, const Fields& fields) {
  const std::string_view expected = value(fields, "gpu_planned"),
                         actual = value(fields, "gpu_actual");
  if (planned.gpu == none || value(fields, "gpu_variable").empty()) return;
  if (expected != actual)
    find(row, PlacementVerdict::wrong,
         std::string(value(fields, "gpu_variable")) + " is " + quoted(actual) + ", planned " +
             quoted(expected));
}

// MPI that takes ranks of one host for strangers sends their messages through the network's code.
void judge_neighbours(std::vector<PlacementRow>& rows) {
  std::map<std::string, int> ranks_on;
  for (const PlacementRow& row : rows)
    if (!row.host.empty()) ++ranks_on[row.host];
  for (PlacementRow& row : rows) {
    const int here = row.host.empty() ? 0 : ranks_on[row.host];
    if (row.seen.mpi_peers == 0 || row.seen.mpi_peers >= here) continue;
    find(row, PlacementVerdict::note,
         "MPI takes " + std::to_string(row.seen.mpi_peers) + " of the " + std::to_string(here) +
             " ranks of this host for neighbours, so the others lose shared memory (hydra: a host "
             "named twice; Slurm: use --mpi=pmix)");
  }
}

}  // namespace

std::string_view name_of(PlacementVerdict verdict) {
  switch (verdict) {
    case PlacementVerdict::ok:
      return "ok";
    case PlacementVerdict::note:
      return "note";
    case PlacementVerdict::wrong:
      return "wrong";
  }
  return "wrong";
}

PlacementRow judge_placement(const MapRow& planned, std::string_view report) {
  PlacementRow row;
  row.rank = planned.rank;
  row.plan = planned;
  row.planned = place(planned.gpu == none ? "" : std::to_string(planned.gpu), planned.cpus);
  const std::string text = without_control_characters(report);
  const std::optional<Fields> fields = fields_of(text);
  if (!fields || value(*fields, "rank") != std::to_string(planned.rank)) {
    row.reason = "its report is damaged";
    return row;
  }
  row.verdict = PlacementVerdict::ok;
  row.host = value(*fields, "host");
  row.seen = seen_by(*fields);
  const std::string_view gpu = value(*fields, "gpu_actual");
  row.actual = place(gpu == "-" ? std::string_view() : gpu, cpus(*fields, "cpus_actual"));
  find(row, PlacementVerdict::note, sentence(value(*fields, "note")));
  judge_cpus(row, planned, *fields);
  judge_gpu(row, planned, *fields);
  // A rank that was placed on another host was allowed to be (RANKMAP_HOSTS=any).
  const bool placed = value(*fields, "state") == "placed";
  if (!same_host(planned.host, row.host))
    find(row, placed ? PlacementVerdict::note : PlacementVerdict::wrong,
         "runs on " + row.host + ", planned on " + planned.host);
  if (value(*fields, "state") != "placed") find(row, PlacementVerdict::wrong, "was not placed");
  const std::string doubt = sentence(value(*fields, "doubt"));
  if (!doubt.empty() && row.verdict == PlacementVerdict::wrong) row.reason = doubt;
  find(row, PlacementVerdict::note, row.verdict == PlacementVerdict::wrong ? "" : doubt);
  return row;
}

namespace {

// A file that cannot be read, or is no report, is that rank's row and no end of the others.
PlacementRow read_report(const MapRow& planned, const std::string& path) {
  PlacementRow row;
  if (!is_regular_file(path)) {
    row = judge_placement(planned, "");
    row.reason = "no report: the rank did not start under rankmap-exec or the shim";
    return row;
  }
  try {
    return judge_placement(planned, read_text(path, report_limit));
  } catch (const Error& error) {
    row = judge_placement(planned, "");
    row.reason = error.what();
    return row;
  }
}

}  // namespace

std::vector<PlacementRow> read_placement(const std::string& directory, const MapFile& map) {
  struct stat status {};
  if (stat(directory.c_str(), &status) != 0 || !S_ISDIR(status.st_mode))
    throw SystemError("cannot read the reports in " + quoted(directory) + ": no such directory");
  std::vector<PlacementRow> rows;
  for (const MapRow& planned : map.rows)
    rows.push_back(read_report(planned, directory + "/rank." + std::to_string(planned.rank)));
  judge_neighbours(rows);
  return rows;
}

std::string summary_of(const std::vector<PlacementRow>& rows) {
  const auto count = [&](PlacementVerdict verdict) {
    return std::count_if(rows.begin(), rows.end(),
                         [&](const PlacementRow& row) { return row.verdict == verdict; });
  };
  const auto noted = count(PlacementVerdict::note);
  return std::to_string(count(PlacementVerdict::ok)) + " of " + std::to_string(rows.size()) +
         " ranks sit as planned" +
         (noted == 0 ? "" : ", " + std::to_string(noted) + " as far as their host goes");
}

PlacementVerdict worst_of(const std::vector<PlacementRow>& rows) {
  PlacementVerdict worst = PlacementVerdict::ok;
  for (const PlacementRow& row : rows) worst = std::max(worst, row.verdict);
  return worst;
}

std::string line_of(const PlacementRow& row) {
  std::vector<std::string> parts;
  if (!row.host.empty()) parts.push_back(row.host);
  parts.push_back(row.actual.empty() ? "planned " + row.planned : row.actual);
  const std::string reason = row.reason.empty() ? "" : ": " + row.reason;
  return "rank " + std::to_string(row.rank) + ": " + join(parts, ", ") + ": " +
         std::string(name_of(row.verdict)) + reason;
}

}  // namespace rankmap
