#include "bench/mapping_graphs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "libmap/base/ids.hpp"
#include "libmap/base/random.hpp"
#include "libmap/graph/comm_graph.hpp"

namespace rankmap::bench {
namespace {

using Edges = std::vector<std::pair<Vertex, Vertex>>;

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

double fraction(Random& random) {
  return static_cast<double>(random.next() >> 11) * 0x1p-53;
}

struct Point {
  double x, y;
  double square_to(const Point& other) const {
    return (x - other.x) * (x - other.x) + (y - other.y) * (y - other.y);
  }
};

struct Extents {
  Vertex width = 0, height = 0;
  Vertex points() const { return width * height; }
  Vertex at(Vertex x, Vertex y) const { return y * width + x; }
};

Extents extents_of(const std::string& text) {
  const std::size_t by = text.find('x');
  return {std::atoi(text.c_str()), by == std::string::npos ? 1 : std::atoi(text.c_str() + by + 1)};
}

Edges near_points(Vertex points, Random& random) {
  std::vector<Point> point(at(points));
  for (Point& one : point) one = {fraction(random), fraction(random)};
  const double radius = 0.55 * std::sqrt(std::log(points) / points);
  const Vertex cells = std::max(1, static_cast<Vertex>(1 / radius));
  const auto cell_of = [&](double x) {
    return std::min(cells - 1, static_cast<Vertex>(x * cells));
  };
  std::vector<std::vector<Vertex>> in_cell(at(std::int64_t{cells} * cells));
  const auto cell = [&](Vertex x, Vertex y) -> std::vector<Vertex>& {
    return in_cell[at(std::int64_t{y} * cells + x)];
  };
  for (Vertex v = 0; v < points; ++v)
    cell(cell_of(point[at(v)].x), cell_of(point[at(v)].y)).push_back(v);
  Edges edges;
  for (Vertex v = 0; v < points; ++v) {
    const Vertex cx = cell_of(point[at(v)].x), cy = cell_of(point[at(v)].y);
    for (Vertex y = std::max(0, cy - 1); y <= std::min(cells - 1, cy + 1); ++y)
      for (Vertex x = std::max(0, cx - 1); x <= std::min(cells - 1, cx + 1); ++x)
        for (const Vertex other : cell(x, y))
          if (other > v && point[at(v)].square_to(point[at(other)]) < radius * radius)
            edges.emplace_back(v, other);
  }
  return edges;
}

Edges grid(const Extents& extents) {
  Edges edges;
  for (Vertex y = 0; y < extents.height; ++y)
    for (Vertex x = 0; x < extents.width; ++x) {
      if (x + 1 < extents.width) edges.emplace_back(extents.at(x, y), extents.at(x + 1, y));
      if (y + 1 < extents.height) edges.emplace_back(extents.at(x, y), extents.at(x, y + 1));
    }
  return edges;
}

// Each square of the grid has its shorter diagonal.
Edges triangles(const Extents& extents, Random& random) {
  std::vector<Point> point;
  for (Vertex y = 0; y < extents.height; ++y)
    for (Vertex x = 0; x < extents.width; ++x)
      point.push_back({x + 0.9 * (fraction(random) - 0.5), y + 0.9 * (fraction(random) - 0.5)});
  Edges edges = grid(extents);
  for (Vertex y = 0; y + 1 < extents.height; ++y)
    for (Vertex x = 0; x + 1 < extents.width; ++x) {
      const Vertex corner = extents.at(x, y), right = extents.at(x + 1, y);
      const Vertex below = extents.at(x, y + 1), across = extents.at(x + 1, y + 1);
      const bool falls = point[at(corner)].square_to(point[at(across)]) <
                         point[at(right)].square_to(point[at(below)]);
      if (falls)
        edges.emplace_back(corner, across);
      else
        edges.emplace_back(right, below);
    }
  return edges;
}

Edges roads(const Extents& extents, Random& random) {
  std::vector<Vertex> parent(at(extents.points()));
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](Vertex v) {
    while (parent[at(v)] != v) v = parent[at(v)] = parent[at(parent[at(v)])];
    return v;
  };
  Edges all = grid(extents), edges;
  random.shuffle(all);
  for (const auto& [a, b] : all) {
    const bool joins = root(a) != root(b);
    if (joins) parent[at(root(a))] = root(b);
    if (joins || fraction(random) < 0.2) edges.emplace_back(a, b);
  }
  return edges;
}

Edges skewed(int scale, Random& random) {
  Edges edges;
  for (std::int64_t i = 0; i < std::int64_t{8} << scale; ++i) {
    Vertex a = 0, b = 0;
    for (int bit = 0; bit < scale; ++bit) {
      const double one = fraction(random);
      const int quarter = one < 0.45 ? 0 : one < 0.67 ? 1 : one < 0.89 ? 2 : 3;
      a = 2 * a + quarter / 2;
      b = 2 * b + quarter % 2;
    }
    edges.emplace_back(a, b);
  }
  return edges;
}

// Each pair once, named anew at random; vertices without edges are left out.
WeightedGraph graph_of(Edges edges, Vertex vertices, Random& random) {
  for (auto& [a, b] : edges)
    if (a > b) std::swap(a, b);
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::erase_if(edges, [](const auto& edge) { return edge.first == edge.second; });
  std::vector<char> used(at(vertices), 0);
  for (const auto& [a, b] : edges) used[at(a)] = used[at(b)] = 1;
  std::vector<Vertex> name(at(vertices)), order;
  for (Vertex v = 0; v < vertices; ++v)
    if (used[at(v)]) order.push_back(v);
  random.shuffle(order);
  for (std::size_t i = 0; i < order.size(); ++i) name[at(order[i])] = static_cast<Vertex>(i);
  GraphBuilder builder(static_cast<Rank>(order.size()));
  for (const auto& [a, b] : edges) {
    builder.add({name[at(a)], name[at(b)], 1, 1, 1, 0, none});
  }
  return weighted_graph(std::move(builder).build("made"));
}

}  // namespace

std::optional<WeightedGraph> made_graph(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return std::nullopt;
  const std::string kind = text.substr(0, colon), rest = text.substr(colon + 1);
  const Extents extents = extents_of(rest);
  const int number = extents.width;
  Random random(1);
  if (kind == "rgg") return graph_of(near_points(number, random), number, random);
  if (kind == "tri") return graph_of(triangles(extents, random), extents.points(), random);
  if (kind == "road") return graph_of(roads(extents, random), extents.points(), random);
  if (kind == "rmat") return graph_of(skewed(number, random), Vertex{1} << number, random);
  return std::nullopt;
}

}  // namespace rankmap::bench
