// Reads graph files of METIS as communication graphs.
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

constexpr std::string_view comments = "%";
constexpr std::string_view separators = " \t\r";
constexpr std::int64_t most_weight = std::int64_t{1} << 62;

class MetisReader {
 public:
  explicit MetisReader(TextInput& text) : lines_(std::move(text)) {}
  CommGraph read();

 private:
  const std::vector<Field>& fields() const { return lines_.fields(); }
  void read_header();
  void read_format();
  void read_weights_of_a_vertex();
  void read_vertex(GraphBuilder& builder);
  void read_neighbour(GraphBuilder& builder, std::size_t& at);
  void need(std::size_t at, const char* what) const;
  void check_end(std::uint64_t arcs);

  LineFields lines_;
  Rank ranks_ = 0;
  std::uint64_t edges_ = 0;
  TextPosition edges_at_;
  bool sizes_ = false, vertex_weights_ = false, edge_weights_ = false;
  std::vector<std::uint64_t> work_;
  NeighbourLists lists_{{}, 1};
  std::uint64_t arcs_ = 0;
};

void MetisReader::read_format() {
  const Field& format = fields()[2];
  if (format.text.size() > 3 || format.text.find_first_not_of("01") != std::string_view::npos)
    lines_.fail(format, "found " + quoted(format.text) +
                            ", expected up to three digits 0 or 1: vertex sizes, vertex weights, "
                            "edge weights");
  const auto digit = [&](std::size_t from_right) {
    return from_right < format.text.size() && format.text.rbegin()[from_right] == '1';
  };
  edge_weights_ = digit(0);
  vertex_weights_ = digit(1);
  sizes_ = digit(2);
}

void MetisReader::read_header() {
  if (!lines_.next(comments, separators))
    lines_.fail("empty, expected VERTICES EDGES [FMT [NCON]]");
  if (fields().size() < 2 || fields().size() > 4)
    lines_.fail(fields().back(),
                std::to_string(fields().size()) + " fields, expected VERTICES EDGES [FMT [NCON]]");
  constexpr auto most_edges = static_cast<std::int64_t>(GraphBuilder::most_edges) / 2;
  ranks_ = static_cast<Rank>(
      lines_.integer(fields()[0], "a number of vertices", 1, GraphBuilder::most_ranks));
  edges_ =
      static_cast<std::uint64_t>(lines_.integer(fields()[1], "a number of edges", 0, most_edges));
  edges_at_ = lines_.at(fields()[1].column);
  if (fields().size() > 2) read_format();
  if (fields().size() == 4) read_weights_of_a_vertex();
}

void MetisReader::read_weights_of_a_vertex() {
  const Field& field = fields()[3];
  const std::optional<std::uint64_t> weights = parse_unsigned(field.text);
  if (weights == 0U || (weights == 1U && vertex_weights_)) return;
  const std::string expected =
      vertex_weights_ ? "1, as a rank has one amount of work"
                      : "0, as " + quoted(fields()[2].text) + " says that vertices have none";
  lines_.fail(field, "found " + quoted(field.text) + " weights of a vertex, expected " + expected);
}

void MetisReader::need(std::size_t at, const char* what) const {
  if (at < fields().size()) return;
  throw InputError(lines_.at(lines_.line().size() + 1),
                   "the line ends, expected " + std::string(what));
}

void MetisReader::read_neighbour(GraphBuilder& builder, std::size_t& at) {
  const auto vertex = static_cast<Rank>(lists_.lines.size()) - 1;
  const Field& field = fields()[at++];
  const auto other = static_cast<Rank>(lines_.integer(field, "a vertex", 1, ranks_) - 1);
  if (other == vertex)
    lines_.fail(field,
                "vertex " + std::to_string(vertex + 1) + " lists itself, expected other vertices");
  std::int64_t weight = 1;
  if (edge_weights_) {
    need(at, "the weight of the edge");
    weight = lines_.integer(fields()[at++], "the weight of an edge", 1, most_weight);
  }
  if (++arcs_ > 2 * edges_)
    lines_.fail(field, "a neighbour more than two for each of " + std::to_string(edges_) +
                           " edges, expected as many as the first line says");
  builder.add({vertex, other, static_cast<Bytes>(weight), 1, 1, 0, none});
}

void MetisReader::read_vertex(GraphBuilder& builder) {
  lists_.lines.push_back(lines_.number());
  std::size_t at = 0;
  if (sizes_) {
    need(at, "the size of the vertex");
    lines_.integer(fields()[at++], "the size of a vertex", 0, most_weight);
  }
  if (vertex_weights_) {
    need(at, "the weight of the vertex");
    const std::int64_t weight =
        lines_.integer(fields()[at++], "the weight of a vertex", 0, most_weight);
    work_.push_back(static_cast<std::uint64_t>(weight));
  }
  while (at < fields().size()) read_neighbour(builder, at);
}

// The lines of all vertices are read.
void MetisReader::check_end(std::uint64_t arcs) {
  if (lines_.next(comments, separators))
    lines_.fail(fields()[0], "a line more than the " + std::to_string(ranks_) +
                                 " vertices have, expected the end");
  if (arcs != 2 * edges_)
    throw InputError(edges_at_, "found " + std::to_string(edges_) + " edges, but " +
                                    std::to_string(arcs) +
                                    " neighbours in the lists, expected two for an edge");
}

CommGraph MetisReader::read() {
  read_header();
  GraphBuilder builder(ranks_);
  constexpr std::size_t least_bytes = 2;  // "1 "
  builder.reserve(lines_.room_for(2 * edges_, least_bytes));
  for (Rank vertex = 0; vertex < ranks_; ++vertex) {
    if (!lines_.next_or_blank(comments, separators))
      lines_.fail("ends after " + std::to_string(vertex) +
                  " vertices, expected a line for each of " + std::to_string(ranks_));
    read_vertex(builder);
  }
  check_end(arcs_);
  if (vertex_weights_) builder.set_work(std::move(work_));
  CommGraph graph = std::move(builder).build(lines_.source());
  check_both_ways(graph, lists_);
  return graph;
}

}  // namespace

bool is_metis(std::string_view content) {
  const std::optional<NumberShape> shape = number_shape(content);
  return shape && !shape->commas && shape->whole && shape->first.size() >= 2 &&
         shape->first.size() <= 4 && parse_unsigned(shape->first[0]) != 0U;
}

CommGraph read_metis(TextInput& text) {
  return MetisReader(text).read();
}

}  // namespace rankmap
