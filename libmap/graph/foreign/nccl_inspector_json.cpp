// The logs of NCCL's inspector plugin: a JSON object a line, one an operation and process. Which
// messages they stand for is told in nccl_records.hpp. What the inspector did not dump is not
// counted: set its dump interval short.
#include <nlohmann/json.hpp>

#include "libmap/base/files.hpp"
#include "libmap/base/text.hpp"
#include "libmap/graph/foreign/formats.hpp"
#include "libmap/graph/foreign/nccl_records.hpp"

namespace rankmap {
namespace {

using nlohmann::json;

json parse_line(const NcclLine& line) {
  try {
    json value = json::parse(line.text);
    if (value.is_object()) return value;
  } catch (const json::parse_error& error) {
    throw InputError({line.source, line.number, error.byte == 0 ? 1 : error.byte},
                     "not JSON, expected one object a line");
  } catch (const json::exception&) {  // a number beyond any range
  }
  throw InputError({line.source, line.number, 1},
                   "found " + rankmap::quoted(line.text) + ", expected one JSON object a line");
}

const json& member(const json& object, const char* key, const NcclLine& line) {
  const auto found = object.find(key);
  if (found == object.end()) line.fail(key, std::string("no ") + key + " in the record");
  return *found;
}

const json& object_of(const json& record, const char* key, const NcclLine& line) {
  const json& value = member(record, key, line);
  if (!value.is_object()) line.fail(key, std::string(key) + " is no object");
  return value;
}

std::string text_of(const json& object, const char* key, const NcclLine& line) {
  const json& value = member(object, key, line);
  if (!value.is_string()) line.fail(key, std::string(key) + " is no text");
  return value.get<std::string>();
}

std::uint64_t number_of(const json& object, const char* key, std::uint64_t low, std::uint64_t high,
                        const NcclLine& line) {
  const json& value = member(object, key, line);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() < low ||
      value.get<std::uint64_t>() > high)
    line.fail(key, "found " +
                       rankmap::quoted(value.is_structured() ? value.type_name() : value.dump()) +
                       ", expected " + key + " of " + std::to_string(low) + " to " +
                       std::to_string(high));
  return value.get<std::uint64_t>();
}

NcclRecord record_of(const json& value, const NcclLine& line) {
  const json& header = object_of(value, "header", line);
  const json& metadata = object_of(value, "metadata", line);
  NcclRecord record{};
  record.communicator = text_of(header, "id", line);
  if (header.contains("comm_name")) record.label = text_of(header, "comm_name", line);
  record.ranks = static_cast<Rank>(number_of(header, "n_ranks", 1, GraphBuilder::most_ranks, line));
  const std::uint64_t last = static_cast<std::uint64_t>(record.ranks) - 1;
  record.rank = static_cast<Rank>(number_of(header, "rank", 0, last, line));
  record.process = {text_of(metadata, "hostname", line),
                    number_of(metadata, "pid", 0, largest_count, line)};
  record.point_to_point = value.contains("p2p_perf");
  const json& perf = object_of(value, record.point_to_point ? "p2p_perf" : "coll_perf", line);
  record.operation = text_of(perf, record.point_to_point ? "p2p" : "coll", line);
  record.bytes =
      number_of(perf, record.point_to_point ? "p2p_msg_size_bytes" : "coll_msg_size_bytes", 0,
                largest_count, line);
  if (record.point_to_point)
    record.peer = static_cast<Rank>(number_of(perf, "p2p_peer", 0, last, line));
  return record;
}

std::size_t column_of_key(std::string_view text, std::string_view key) {
  const std::size_t found = text.find("\"" + std::string(key) + "\"");
  return found == text.npos ? 1 : found + 1;
}

void add_log(std::string_view content, const std::string& source, NcclRecords& records) {
  LineFields lines(content, source);
  while (lines.next("", "\n")) {
    const NcclLine line{lines.line(), source, lines.number(), column_of_key};
    records.add(record_of(parse_line(line), line), line);
  }
}

}  // namespace

bool is_nccl_inspector(std::string_view content) {
  constexpr std::size_t head = 4096;
  const std::string_view begin = content.substr(0, head);
  return trim(begin).starts_with('{') && begin.find("\"header\"") != begin.npos &&
         (begin.find("\"n_ranks\"") != begin.npos || begin.find("\"coll_perf\"") != begin.npos);
}

bool is_nccl_inspector_name(std::string_view file) {
  return file.ends_with(".log") || file.ends_with(".json") || file.ends_with(".jsonl");
}

CommGraph read_nccl_inspector(std::string_view content, const std::string& source) {
  NcclRecords records;
  add_log(content, source, records);
  return std::move(records).build(source);
}

// Other logs may lie beside them; that none is missing is known from the communicators.
CommGraph read_nccl_inspector_folder(const std::vector<std::string>& files,
                                     const std::string& folder) {
  NcclRecords records;
  for (const std::string& file : files) {
    const std::string content = read_text(file, largest_recording);
    if (is_nccl_inspector(content)) add_log(content, file, records);
  }
  return std::move(records).build(folder);
}

}  // namespace rankmap
