#include <algorithm>

#include "libmap/base/cursor.hpp"
#include "libmap/base/text.hpp"
#include "libmap/mapping/read/readers.hpp"

namespace rankmap {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

class RankfileReader {
 public:
  RankfileReader(std::string_view text, const std::string& source) : in_(source, text) {
    map_.source = source;
  }

  ForeignMap read() {
    for (skip_to_words(); !in_.at_end(); skip_to_words()) read_rank();
    return std::move(map_);
  }

 private:
  void skip_to_words() {
    while (!in_.at_end()) {
      in_.skip_blanks();
      if (in_.peek() == '\r')
        in_.fail("a line that ends in CR LF, which Open MPI refuses, expected LF");
      if (in_.accept('\n')) continue;
      if (in_.peek() == '#' || in_.rest().starts_with("//"))
        in_.take_until("\n");
      else if (in_.rest().starts_with("/*"))
        skip_block();
      else
        return;
    }
  }

  void skip_block() {
    const TextPosition start = in_.position();
    while (!in_.at_end() && !in_.rest().starts_with("*/")) in_.next();
    if (in_.at_end()) Cursor::fail_at(start, "a comment that does not end, expected */");
    in_.next();
    in_.next();
  }

  void read_rank() {
    const TextPosition where = in_.position();
    expect_word("rank", "rank R=HOST slot=CORES");
    in_.skip_blanks();
    ForeignRank& rank = add_rank(map_, number("a rank"), where);
    expect_equals();
    read_host(rank);
    const TextPosition slot = in_.position();
    const std::string_view word = in_.take_word();
    if (word != "slot" && word != "slots")
      Cursor::fail_at(slot, "found " + quoted(word) + ", expected slot=CORES");
    expect_equals();
    read_list(rank);
    in_.skip_blanks();
    if (!in_.at_end() && in_.peek() != '\n' && in_.peek() != '\r' && in_.peek() != '#' &&
        in_.peek() != '/')
      in_.fail("found " + quoted(in_.rest().substr(0, 1)) +
               " behind the cores, expected a new line");
  }

  void expect_word(std::string_view word, const std::string& expected) {
    const TextPosition where = in_.position();
    const std::string_view found = in_.take_word();
    if (found != word)
      Cursor::fail_at(where, "found " + quoted(found.empty() ? in_.rest().substr(0, 1) : found) +
                                 ", expected " + expected);
  }

  void expect_equals() {
    in_.skip_blanks();
    in_.expect('=');
    in_.skip_blanks();
  }

  std::int64_t number(const char* what) {
    constexpr std::int64_t most = std::int64_t{1} << 40;
    if (!is_digit(in_.peek()))
      in_.fail("found " + quoted(in_.rest().substr(0, 1)) + ", expected " + what);
    std::int64_t value = 0;
    while (is_digit(in_.peek())) value = std::min(value * 10 + (in_.next() - '0'), most);
    return value;
  }

  void read_host(ForeignRank& rank) {
    const TextPosition where = in_.position();
    const std::string host(in_.take_until(" \t\r\n=#"));
    if (host.empty()) Cursor::fail_at(where, "no host, expected rank R=HOST slot=CORES");
    in_.skip_blanks();
    if (!host.starts_with("+n")) {
      rank.host = host;
      return;
    }
    const std::optional<std::uint64_t> node = parse_unsigned(host.substr(2));
    if (!node || *node >= static_cast<std::uint64_t>(most_ranks))
      Cursor::fail_at(where, "found " + quoted(host) + ", expected +n0, +n1 ... or a host");
    rank.node = static_cast<NodeId>(*node);
  }

  // Pieces by `;` or `,`. What a bare number means behind `0:0,` differs from launcher to launcher.
  void read_list(ForeignRank& rank) {
    bool in_package = false;
    while (true) {
      const TextPosition where = in_.position();
      const CoreSelection piece = read_piece();
      if (in_package && piece.package == none)
        Cursor::fail_at(where,
                        "a core without its package behind a comma: Open MPI 4 and PRRTE read this "
                        "differently, expected 0:0-1 or 0:0;0:1");
      rank.cores.push_back(piece);
      in_package = piece.package != none && in_.peek() == ',';
      if (!in_.accept(',') && !in_.accept(';')) return;
    }
  }

  CoreSelection read_piece() {
    CoreSelection piece;
    if (in_.peek() == '*')
      in_.fail("slot=* means core 0 to Open MPI 4, expected the cores by number");
    if (in_.accept('S') || in_.accept('P')) {
      piece.package = core_number();
      piece.whole_package = true;
      return piece;
    }
    const int first = core_number();
    if (!in_.accept(':')) {
      add_range(piece, first);
      return piece;
    }
    piece.package = first;
    if (in_.accept('*'))
      piece.whole_package = true;
    else
      add_range(piece, core_number());
    return piece;
  }

  int core_number() {
    const TextPosition where = in_.position();
    const std::int64_t value = number("a core number, as in 8-11, 0:0-1 or S0");
    if (value > CpuSet::max_number)
      Cursor::fail_at(where, "core " + std::to_string(value) + ", expected at most " +
                                 std::to_string(CpuSet::max_number));
    return static_cast<int>(value);
  }

  void add_range(CoreSelection& piece, int first) {
    const TextPosition where = in_.position();
    const int last = in_.accept('-') ? core_number() : first;
    if (last < first) Cursor::fail_at(where, "a range that goes down, expected FIRST-LAST");
    piece.cores.add_range(first, last);
  }

  Cursor in_;
  ForeignMap map_;
};

}  // namespace

ForeignMap read_rankfile(std::string_view text, const std::string& source, const Machine&) {
  return RankfileReader(text, source).read();
}

}  // namespace rankmap
