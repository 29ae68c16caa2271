// Pattern texts: who talks to whom in a few characters, and the communication graphs they stand
// for.
//   text  = part { ("+" | "/") part } | "file:" PATH | "-"
//   part  = kind ":" DIMS { "," key [ "=" value ] }
//   DIMS  = N { "x" N }            1 to 6 dimensions; their product is the number of ranks
// Ranks are numbered row-major: the last dimension counts fastest. "+" adds patterns within a phase
// (bytes and messages add up, the larger weight stays); "/" begins the next phase. All parts have
// the same number of ranks. A butterfly takes one phase a dimension: it and whatever is added to it
// begin in the same phase, and the part after "/" begins when the longest of them has ended. Blanks
// and tabs around "+", "/" and at both ends mean nothing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libmap/base/error.hpp"
#include "libmap/graph/comm_graph.hpp"

namespace rankmap {

inline constexpr int most_dimensions = 6;

// The grid of ranks of one part.
struct Shape {
  int dimensions = 0;                          // 1..most_dimensions
  std::array<Rank, most_dimensions> extent{};  // each >= 1
  Rank ranks = 0;                              // their product, 1..GraphBuilder::most_ranks

  // How far apart in rank number two neighbours in dimension d are.
  Rank stride(int d) const;
};

// A set of dimensions; bit d is dimension d, in written order.
using DimensionSet = std::uint32_t;

struct PatternRow;

// Of `parallel`: the transformer that is trained.
struct TrainingModel {
  std::uint64_t layers = 32;
  std::uint64_t hidden = 4096;
  std::uint64_t sequence = 4096;
  std::uint64_t batch = 1;         // sequences of a microbatch
  std::uint64_t microbatches = 8;  // of a step, on each pipeline
};

// One part, with the defaults of the keys. What a kind does not accept stays at its default.
struct PatternTerm {
  const PatternRow* kind = nullptr;
  Shape shape;
  Bytes bytes = 1;  // of a message; alltoall: to each peer; other collectives: the buffer
  std::uint64_t messages = 1;  // how many such messages or calls
  std::uint32_t weight = 1;
  int points = 0;  // 0: not given
  bool face = false;
  bool corner = false;
  bool all = false;
  DimensionSet periodic = 0;
  int arity = 2;
  std::string_view algorithm;  // empty: the first of the kind's algorithms
  std::optional<DimensionSet> vary;
  int dim = 0;
  std::int64_t by = 1;
  std::uint64_t seed = 0;
  TrainingModel training;
  std::string order;           // of the groups of `parallel`: "pp-dp-tp"; empty: the usual one
  std::optional<Rank> degree;  // none: 4, or all pairs where there are fewer
  TextPosition where;          // of the kind
  TextPosition dims_where;
};

// A text that was read and found good: generate() cannot fail on it but for sums beyond 63 bits.
struct Pattern {
  std::string text;
  std::string file;                              // the path after "file:", "-" for "-"; else empty
  std::vector<std::vector<PatternTerm>> phases;  // between "/"; terms between "+"; empty for files
};

class Emitter;

// A kind of pattern. `file` has a row too, for help and completion; its functions are null.
struct PatternRow {
  std::string_view name;
  std::string_view summary;                      // one line
  std::span<const std::string_view> keys;        // accepted keys, in the order errors tell them
  std::span<const std::string_view> algorithms;  // the default first; empty: no such key
  std::uint64_t (*edges)(const PatternTerm&);    // messages before equal ones are merged, exact;
                                                 // InputError if the DIMS do not suit the kind
  std::int32_t (*phases)(const PatternTerm&);    // how many phases it takes, >= 1
  void (*generate)(const PatternTerm&, Emitter&);
};

struct PatternKeyRow {
  std::string_view name;
  std::string_view value;  // how help writes the value; empty: a flag
  std::string_view summary;
};

std::span<const PatternRow> pattern_rows();
std::span<const PatternKeyRow> pattern_key_rows();

// InputError{pattern:line:column} for a text that is not in the grammar, for keys and values that
// mean nothing for their kind, and for more than the limits of GraphBuilder (told with the number
// of edges it would have had; nothing of that size is allocated). Does not open files. O(text).
Pattern parse_pattern(std::string_view text);

// The graph, its name is the text. Reads the file of a file pattern (read_comm_graph's errors).
// InputError when bytes or messages leave 63 bits. O(edges log edges).
CommGraph generate(const Pattern& pattern);

// parse_pattern and generate: what every APP argument means.
CommGraph read_app(const std::string& text);

}  // namespace rankmap
