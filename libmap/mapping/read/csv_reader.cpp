#include <array>
#include <limits>
#include <optional>

#include "libmap/base/cursor.hpp"
#include "libmap/base/text.hpp"
#include "libmap/mapping/read/readers.hpp"

namespace rankmap {
namespace {

struct Field {
  std::string text;
  TextPosition where;
};

// One record; a quoted field may go over several lines. Blank lines and # comments are passed over.
class Records {
 public:
  Records(std::string_view text, const std::string& source) : in_(source, text) {}

  bool next(std::vector<Field>& record) {
    record.clear();
    while (in_.peek() == '\n' || in_.peek() == '\r' || in_.peek() == '#') {
      in_.take_until("\n");
      in_.accept('\n');
    }
    if (in_.at_end()) return false;
    do record.push_back(field());
    while (in_.accept(','));
    in_.accept('\r');
    if (!in_.at_end()) in_.expect('\n');
    return true;
  }

 private:
  Field field() {
    Field result{"", in_.position()};
    if (!in_.accept('"')) {
      result.text = trim(in_.take_until(",\r\n"));
      return result;
    }
    while (true) {
      result.text += in_.take_until("\"");
      if (!in_.accept('"')) Cursor::fail_at(result.where, "a quote that does not end, expected \"");
      if (!in_.accept('"')) return result;
      result.text += '"';
    }
  }

  Cursor in_;
};

std::int64_t number_of(const Field& field, const char* expected) {
  const std::optional<std::int64_t> number = parse_integer(field.text);
  if (!number || *number < 0 || *number > std::numeric_limits<std::int32_t>::max())
    throw InputError(field.where, "found " + quoted(field.text) + ", expected " + expected);
  return *number;
}

CpuSet set_of(const Field& field, const char* expected) {
  const std::optional<CpuSet> set = CpuSet::parse_list(field.text);
  if (!set) throw InputError(field.where, "found " + quoted(field.text) + ", expected " + expected);
  return *set;
}

void set_host(ForeignRank& rank, const Field& field) {
  if (field.text.empty()) throw InputError(field.where, "no host, expected the name of one");
  rank.host = field.text;
}

void set_gpu(ForeignRank& rank, const Field& field) {
  if (!field.text.empty() && field.text != "-")
    rank.gpu = static_cast<int>(number_of(field, "the index of a GPU, or nothing"));
}

void set_cores(ForeignRank& rank, const Field& field) {
  const CpuSet cores = set_of(field, "logical cores, as in 0-3,8");
  if (!cores.empty()) rank.cores.push_back({none, false, cores});
}

void set_cpus(ForeignRank& rank, const Field& field) {
  rank.cpus = set_of(field, "OS numbers of CPUs, as in 0-3,8");
}

struct Column {
  std::string_view name;
  void (*set)(ForeignRank& rank, const Field& field);
};
constexpr std::array columns = {Column{"host", set_host}, Column{"gpu", set_gpu},
                                Column{"cores", set_cores}, Column{"cpus", set_cpus}};

using Setter = void (*)(ForeignRank& rank, const Field& field);

struct Header {
  std::size_t rank = SIZE_MAX;
  std::vector<Setter> setters;  // by column; nullptr: passed over
};

Header header_of(const std::vector<Field>& names) {
  Header header;
  bool has_host = false;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].text == "rank") header.rank = i;
    has_host |= names[i].text == "host";
    Setter setter = nullptr;
    for (const Column& column : columns)
      if (column.name == names[i].text) setter = column.set;
    header.setters.push_back(setter);
  }
  if (header.rank == SIZE_MAX || !has_host)
    throw InputError(names.front().where,
                     "the columns rank and host are not both in the first line, expected "
                     "rank,host,gpu,...");
  return header;
}

}  // namespace

ForeignMap read_csv_map(std::string_view text, const std::string& source, const Machine&) {
  Records records(text, source);
  std::vector<Field> record;
  ForeignMap map{source, {}};
  if (!records.next(record)) return map;
  const Header header = header_of(record);
  while (records.next(record)) {
    if (record.size() != header.setters.size())
      throw InputError(record.front().where,
                       "found " + std::to_string(record.size()) + " columns, expected " +
                           std::to_string(header.setters.size()) + " as in the first line");
    const Field& number = record[header.rank];
    ForeignRank& rank = add_rank(map, number_of(number, "a rank"), number.where);
    for (std::size_t i = 0; i < record.size(); ++i)
      if (header.setters[i] != nullptr) header.setters[i](rank, record[i]);
  }
  return map;
}

}  // namespace rankmap
