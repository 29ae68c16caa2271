#include "traffic_apps.hpp"

#include <functional>
#include <map>

namespace rankmap::test {
namespace {

using nlohmann::json;
using Place = std::vector<int>;
using Send = std::function<void(const Place&, const Place&)>;

Place place_of(Rank rank, const Place& grid) {
  Place place(grid.size());
  for (std::size_t d = grid.size(); d-- > 0; rank /= grid[d]) place[d] = rank % grid[d];
  return place;
}

Rank rank_of(const Place& place, const Place& grid) {
  Rank rank = 0;
  for (std::size_t d = 0; d < grid.size(); ++d) rank = rank * grid[d] + place[d];
  return rank;
}

Rank ranks_of(const Place& grid) {
  Rank ranks = 1;
  for (const int extent : grid) ranks *= extent;
  return ranks;
}

// Every offset of -1, 0, 1 a dimension that `points` names.
std::vector<Place> offsets_of(const std::string& points, std::size_t dimensions) {
  std::vector<Place> offsets;
  int all = 1;
  for (std::size_t d = 0; d < dimensions; ++d) all *= 3;
  for (int code = 0; code < all; ++code) {
    Place offset;
    std::size_t moved = 0;
    for (int rest = code; offset.size() < dimensions; rest /= 3) {
      offset.push_back(rest % 3 - 1);
      moved += offset.back() != 0 ? 1 : 0;
    }
    const bool face = moved == 1;
    const bool corner = moved == dimensions && points == "face+corner";
    if (moved > 0 && (points == "all" || face || corner)) offsets.push_back(offset);
  }
  return offsets;
}

void halo(const json& pattern, const Place& grid, const Send& send) {
  const bool periodic = pattern.at("periodic");
  for (Rank rank = 0; rank < ranks_of(grid); ++rank) {
    const Place from = place_of(rank, grid);
    for (const Place& offset : offsets_of(pattern.at("points"), grid.size())) {
      Place to = from;
      bool inside = true;
      for (std::size_t d = 0; d < grid.size(); ++d) {
        to[d] += offset[d];
        if (periodic) to[d] = (to[d] + grid[d]) % grid[d];
        inside = inside && to[d] >= 0 && to[d] < grid[d];
      }
      if (inside) send(from, to);
    }
  }
}

void shift(const json& pattern, const Place& grid, const Send& send) {
  const std::size_t dim = pattern.at("dim");
  for (Rank rank = 0; rank < ranks_of(grid); ++rank) {
    const Place from = place_of(rank, grid);
    Place to = from;
    to[dim] += pattern.at("by").get<int>();
    if (to[dim] >= 0 && to[dim] < grid[dim]) send(from, to);
  }
}

std::vector<std::vector<Place>> groups_of(const json& pattern, const Place& grid) {
  std::map<Place, std::vector<Place>> groups;  // by the coordinates that do not vary
  for (Rank rank = 0; rank < ranks_of(grid); ++rank) {
    Place key = place_of(rank, grid);
    for (const std::size_t d : pattern.at("vary")) key[d] = 0;
    groups[key].push_back(place_of(rank, grid));
  }
  std::vector<std::vector<Place>> members;
  for (auto& [key, group] : groups) members.push_back(std::move(group));
  return members;
}

void alltoall(const std::vector<Place>& group, const Send& send) {
  for (const Place& from : group)
    for (const Place& to : group)
      if (from != to) send(from, to);
}

void ring(const std::vector<Place>& group, const Send& send) {
  for (std::size_t i = 0; i < group.size() && group.size() > 1; ++i)
    send(group[i], group[(i + 1) % group.size()]);
}

Place grid_of(const json& pattern) {
  return pattern.at("kind") == "sum" ? grid_of(pattern.at("parts").front())
                                     : pattern.at("grid").get<Place>();
}

void add_to(GraphBuilder& builder, const json& pattern) {
  const Place grid = grid_of(pattern);
  const std::string kind = pattern.at("kind");
  const Send send = [&](const Place& from, const Place& to) {
    builder.add(
        {rank_of(from, grid), rank_of(to, grid), pattern.at("bytes").get<Bytes>(), 1, 1, 0, none});
  };
  if (kind == "sum")
    for (const json& part : pattern.at("parts")) add_to(builder, part);
  if (kind == "halo") halo(pattern, grid, send);
  if (kind == "shift") shift(pattern, grid, send);
  if (kind == "alltoall")
    for (const auto& group : groups_of(pattern, grid)) alltoall(group, send);
  if (kind == "ring")
    for (const auto& group : groups_of(pattern, grid)) ring(group, send);
}

}  // namespace

CommGraph traffic_app(const json& pattern) {
  GraphBuilder builder(ranks_of(grid_of(pattern)));
  add_to(builder, pattern);
  return std::move(builder).build("traffic");
}

std::vector<CommGraph> traffic_groups(const json& pattern) {
  const Place grid = grid_of(pattern);
  std::vector<CommGraph> graphs;
  for (const auto& group : groups_of(pattern, grid)) {
    GraphBuilder builder(ranks_of(grid));
    alltoall(group, [&](const Place& from, const Place& to) {
      builder.add({rank_of(from, grid), rank_of(to, grid), pattern.at("bytes").get<Bytes>(), 1, 1,
                   0, none});
    });
    graphs.push_back(std::move(builder).build("group"));
  }
  return graphs;
}

}  // namespace rankmap::test
