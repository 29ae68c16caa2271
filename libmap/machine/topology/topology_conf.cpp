// Slurm's topology.conf, and what `scontrol show topology` prints: lines of KEY=VALUE. SwitchName (of
// topology/tree), BlockName and BlockSizes (of topology/block) begin them.
#include <algorithm>
#include <array>
#include <span>

#include "libmap/base/cursor.hpp"
#include "libmap/base/text.hpp"
#include "libmap/machine/topology/blocks.hpp"
#include "libmap/machine/topology/topology_reader.hpp"

namespace rankmap {
namespace {

using Keys = std::string_view;

struct Field {
  std::string key;  // in small letters
  std::string_view value;
  TextPosition where;        // of the key
  TextPosition value_where;  // of the value
};
using Fields = std::vector<Field>;

std::string_view take_value(Cursor& cursor) {
  if (!cursor.accept('"')) return cursor.take_until(" \t\r\n#");
  const std::string_view value = cursor.take_until("\"\n");
  cursor.expect('"');
  return value;
}

Field take_field(Cursor& cursor) {
  Field field;
  field.where = cursor.position();
  const std::string_view key = cursor.take_word();
  field.key = to_lower(key);
  if (key.empty())
    cursor.fail("found " + rankmap::quoted(cursor.rest().substr(0, 1)) + ", expected KEY=VALUE");
  if (field.key == "include")
    cursor.fail_at(field.where, "found Include, expected all lines in one file");
  cursor.skip_blanks();
  if (cursor.peek() != '=') cursor.fail("expected '=' behind " + rankmap::quoted(key));
  cursor.next();
  cursor.skip_blanks();
  field.value_where = cursor.position();
  field.value = take_value(cursor);
  return field;
}

// One line, or several with a backslash at their ends; past its end.
Fields take_line(Cursor& cursor) {
  Fields fields;
  while (!cursor.at_end()) {
    cursor.skip_blanks();
    if (cursor.peek() == '#') cursor.take_until("\n");
    cursor.accept('\r');
    const std::string_view rest = cursor.rest();
    if (rest.starts_with("\\\n") || rest.starts_with("\\\r\n")) {
      cursor.take_until("\n");
      cursor.next();
      continue;
    }
    if (cursor.at_end() || cursor.accept('\n')) break;
    fields.push_back(take_field(cursor));
  }
  return fields;
}

const Field* find(const Fields& fields, Keys key) {
  const auto found =
      std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.key == key; });
  return found == fields.end() ? nullptr : &*found;
}

std::uint32_t number_of(const Field& field) {
  const auto number = parse_unsigned(field.value);
  if (!number || *number < 1 || *number > UINT32_MAX)
    throw InputError(field.value_where,
                     "found " + rankmap::quoted(field.value) + ", expected a whole number from 1");
  return static_cast<std::uint32_t>(*number);
}

struct Records {
  TopologyBuilder switches;
  Blocks blocks;
};

void take_switch(const Fields& fields, Records& records) {
  const Field* const speed = find(fields, "linkspeed");
  const int at = records.switches.add_switch(std::string(fields[0].value), fields[0].value_where,
                                             speed == nullptr ? 0 : number_of(*speed));
  const Field* const nodes = find(fields, "nodes");
  const Field* const below = find(fields, "switches");
  if (nodes == nullptr && below == nullptr)
    throw InputError(fields[0].where, "found the switch " + rankmap::quoted(fields[0].value) +
                                          " alone, expected Nodes= or Switches= behind it");
  if (nodes != nullptr) records.switches.add_nodes(at, nodes->value, nodes->value_where);
  if (below != nullptr) records.switches.add_children(at, below->value, below->value_where);
}

// BlockSize is what scontrol adds: the first size of BlockSizes.
void take_block(const Fields& fields, Records& records) {
  const Field* const nodes = find(fields, "nodes");
  const int at = records.switches.add_switch(std::string(fields[0].value), fields[0].value_where);
  if (nodes != nullptr) records.switches.add_nodes(at, nodes->value, nodes->value_where);
  records.blocks.members.push_back(at);
  if (const Field* const size = find(fields, "blocksize"))
    records.blocks.add_size(number_of(*size), size->value_where);
}

// Blocks of blocks, which their size tells as well.
void take_aggregate(const Fields& fields, Records& records) {
  if (const Field* const size = find(fields, "blocksize"))
    records.blocks.add_size(number_of(*size), size->value_where);
}

void take_sizes(const Fields& fields, Records& records) {
  Field one = fields[0];
  for (const std::string_view size : split(fields[0].value, ',')) {
    one.value = trim(size);
    records.blocks.add_size(number_of(one), one.value_where);
  }
}

constexpr std::array<Keys, 5> switch_keys = {"switchname", "level", "linkspeed", "nodes",
                                             "switches"};
constexpr std::array<Keys, 4> block_keys = {"blockname", "blockindex", "nodes", "blocksize"};
constexpr std::array<Keys, 4> aggregate_keys = {"aggregatedblock", "blockindex", "nodes",
                                                "blocksize"};
constexpr std::array<Keys, 1> size_keys = {"blocksizes"};

struct Row {
  std::span<const Keys> keys;  // the first begins the line
  void (*take)(const Fields& fields, Records& records);
};
constexpr std::array rows = {Row{switch_keys, take_switch}, Row{block_keys, take_block},
                             Row{aggregate_keys, take_aggregate}, Row{size_keys, take_sizes}};

void check_keys(const Fields& fields, std::span<const Keys> known) {
  for (const Field& field : fields) {
    if (std::find(known.begin(), known.end(), field.key) == known.end())
      throw InputError(field.where, "found the key " + rankmap::quoted(field.key) +
                                        ", expected one of " +
                                        join({known.begin(), known.end()}, ", "));
    if (find(fields, field.key) != &field)
      throw InputError(field.where,
                       "found " + field.key + "= again, expected each key once a line");
  }
}

}  // namespace

SwitchTopology read_topology_conf(std::string_view text, const std::string& source) {
  Records records;
  Cursor cursor(source, text);
  while (!cursor.at_end()) {
    const Fields fields = take_line(cursor);
    if (fields.empty()) continue;
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const Row& known) { return known.keys[0] == fields[0].key; });
    if (row == rows.end())
      throw InputError(fields[0].where, "found a line of " + rankmap::quoted(fields[0].key) +
                                            ", expected SwitchName, BlockName or BlockSizes");
    check_keys(fields, row->keys);
    row->take(fields, records);
  }
  records.blocks.join(records.switches, source);
  return std::move(records.switches).build(source);
}

}  // namespace rankmap
