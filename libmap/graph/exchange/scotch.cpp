// Reads graph files of Scotch as communication graphs.
#include <algorithm>
#include <optional>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/graph/exchange/both_ways.hpp"
#include "libmap/graph/exchange/formats.hpp"
#include "libmap/graph/line_fields.hpp"
#include "libmap/graph/number_shape.hpp"

namespace rankmap {
namespace {

constexpr std::string_view separators = " \t\r";
constexpr std::int64_t most_load = std::int64_t{1} << 62;

class ScotchReader {
 public:
  explicit ScotchReader(TextInput& text) : lines_(std::move(text)) {}
  CommGraph read();

 private:
  // What a vertex has beside its neighbours, in the order of the file.
  struct Vertex {
    Rank rank;
    std::size_t line;
    std::uint64_t work;
  };

  bool next_field();
  std::int64_t number(const char* what, std::int64_t low, std::int64_t high);
  void read_header();
  void read_flags();
  Rank read_vertex_number(const char* what);
  void read_vertex(GraphBuilder& builder);
  void note(Rank rank);
  void finish(GraphBuilder& builder);

  LineFields lines_;
  std::size_t at_ = 0;  // the next field of the line
  Field field_;         // the one read last
  Rank ranks_ = 0;
  std::uint64_t arcs_ = 0, arcs_read_ = 0;
  TextPosition arcs_at_;
  bool labels_ = false, edge_loads_ = false, vertex_loads_ = false;
  std::vector<Vertex> vertices_;
  std::vector<bool> seen_;
  NeighbourLists lists_{{}, 0};
};

// Lines mean nothing in this format.
bool ScotchReader::next_field() {
  if (at_ == lines_.fields().size()) {
    at_ = 0;
    if (!lines_.next("", separators)) return false;
  }
  field_ = lines_.fields()[at_++];
  return true;
}

std::int64_t ScotchReader::number(const char* what, std::int64_t low, std::int64_t high) {
  if (!next_field()) lines_.fail("ends early, expected " + std::string(what));
  return lines_.integer(field_, what, low, high);
}

void ScotchReader::read_flags() {
  if (!next_field()) lines_.fail("ends early, expected flags");
  const std::string_view flags = field_.text;
  if (flags.size() > 3 ||
      !std::all_of(flags.begin(), flags.end(), [](char c) { return c >= '0' && c <= '9'; }))
    lines_.fail(field_, "found " + quoted(flags) +
                            ", expected up to three digits: labels, edge loads, vertex loads");
  const auto flag = [&](std::size_t from_right) {
    return from_right < flags.size() && flags.rbegin()[from_right] != '0';
  };
  vertex_loads_ = flag(0);
  edge_loads_ = flag(1);
  labels_ = flag(2);
}

void ScotchReader::read_header() {
  constexpr auto most_arcs = static_cast<std::int64_t>(GraphBuilder::most_edges);
  if (!next_field()) lines_.fail("empty, expected version 0");
  if (field_.text != "0")
    lines_.fail(field_, "found " + quoted(field_.text) + ", expected version 0");
  ranks_ = static_cast<Rank>(number("a number of vertices", 1, GraphBuilder::most_ranks));
  arcs_ = static_cast<std::uint64_t>(number("a number of arcs", 0, most_arcs));
  arcs_at_ = lines_.at(field_.column);
  lists_.base = number("a first vertex", 0, 1);
  read_flags();
}

Rank ScotchReader::read_vertex_number(const char* what) {
  return static_cast<Rank>(number(what, lists_.base, lists_.base + ranks_ - 1) - lists_.base);
}

// Grows with what was read, not with what was promised.
void ScotchReader::note(Rank rank) {
  const auto index = static_cast<std::size_t>(rank);
  if (index >= seen_.size()) seen_.resize(index + 1);
  if (seen_[index])
    lines_.fail(field_, "a second vertex of label " + std::to_string(lists_.base + rank) +
                            ", expected each once");
  seen_[index] = true;
}

void ScotchReader::read_vertex(GraphBuilder& builder) {
  Vertex vertex{static_cast<Rank>(vertices_.size()), 0, 1};
  if (labels_) {
    vertex.rank = read_vertex_number("a label");
    note(vertex.rank);
    vertex.line = lines_.number();
  }
  if (vertex_loads_) {
    vertex.work = static_cast<std::uint64_t>(number("the load of a vertex", 0, most_load));
    if (!labels_) vertex.line = lines_.number();
  }
  const std::int64_t degree =
      number("a number of neighbours", 0, static_cast<std::int64_t>(arcs_ - arcs_read_));
  if (vertex.line == 0) vertex.line = lines_.number();
  for (std::int64_t i = 0; i < degree; ++i) {
    const std::int64_t load = edge_loads_ ? number("the load of an edge", 1, most_load) : 1;
    const Rank other = read_vertex_number("a vertex");
    if (other == vertex.rank)
      lines_.fail(field_, "vertex " + std::to_string(lists_.base + other) +
                              " lists itself, expected other vertices");
    builder.add({vertex.rank, other, static_cast<Bytes>(load), 1, 1, 0, none});
  }
  arcs_read_ += static_cast<std::uint64_t>(degree);
  vertices_.push_back(vertex);
}

void ScotchReader::finish(GraphBuilder& builder) {
  if (next_field())
    lines_.fail(field_, "found " + quoted(field_.text) + " after the " + std::to_string(ranks_) +
                            " vertices, expected the end");
  if (arcs_read_ != arcs_)
    throw InputError(arcs_at_, "found " + std::to_string(arcs_) + " arcs, but " +
                                   std::to_string(arcs_read_) +
                                   " neighbours in the lists, expected the same");
  std::vector<std::uint64_t> work(vertices_.size());
  lists_.lines.resize(vertices_.size());
  for (const Vertex& vertex : vertices_) {
    lists_.lines[static_cast<std::size_t>(vertex.rank)] = vertex.line;
    work[static_cast<std::size_t>(vertex.rank)] = vertex.work;
  }
  vertices_ = {};
  if (vertex_loads_) builder.set_work(std::move(work));
}

CommGraph ScotchReader::read() {
  read_header();
  GraphBuilder builder(ranks_);
  constexpr std::size_t least_bytes = 2;  // "1 "
  builder.reserve(lines_.room_for(arcs_, least_bytes));
  for (Rank vertex = 0; vertex < ranks_; ++vertex) read_vertex(builder);
  finish(builder);
  CommGraph graph = std::move(builder).build(lines_.source());
  check_both_ways(graph, lists_);
  return graph;
}

}  // namespace

bool is_scotch(std::string_view content) {
  const std::optional<NumberShape> shape = number_shape(content);
  return shape && shape->first.size() == 1 && shape->first[0] == "0" && shape->second_columns == 2;
}

CommGraph read_scotch(TextInput& text) {
  return ScotchReader(text).read();
}

}  // namespace rankmap
