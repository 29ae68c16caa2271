#include "libmap/place/box/search.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace rankmap {
namespace {

using Extents = std::vector<std::int64_t>;

std::int64_t product(const Extents& extents) {
  return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

std::string words(const Extents& numbers) {
  std::string text;
  for (const std::int64_t number : numbers) text += " " + std::to_string(number);
  return text;
}

// All that divide each extent, one a dimension.
std::vector<Extents> tiles_of(const Extents& extents) {
  std::vector<Extents> tiles{{}};
  for (const std::int64_t extent : extents) {
    Extents divisors;
    for (std::int64_t size = 1; size <= extent; ++size)
      if (extent % size == 0) divisors.push_back(size);
    std::vector<Extents> longer;
    for (const Extents& tile : tiles)
      for (const std::int64_t size : divisors) {
        longer.push_back(tile);
        longer.back().push_back(size);
      }
    tiles = std::move(longer);
  }
  return tiles;
}

// In how many dimensions a tile is neither thin nor whole.
int cuts_of(const Extents& tile, const Extents& extents) {
  int cuts = 0;
  for (std::size_t d = 0; d < tile.size(); ++d) cuts += tile[d] != 1 && tile[d] != extents[d];
  return cuts;
}

class Search {
 public:
  Search(const Extents& app, const Extents& machine, std::int64_t most,
         const std::function<std::vector<double>(const Box&)>& costs_of,
         const std::function<bool()>& stop)
      : app_(app), machine_(machine), most_(most), costs_of_(costs_of), stop_(stop) {}

  FoundScript run() {
    consider("app = box" + words(app_) + "\nnet = machine\nnet.map app\n");
    try_app_orders(most_ / 12);
    try_orders(most_ / 6);
    try_tiles(most_ * 2 / 3);
    climb();
    best_.front().tried = tried_;
    return std::move(best_.front());
  }

 private:
  static constexpr std::size_t kept = 4;  // that tilts are tried on

  bool is_done(std::int64_t most) const { return tried_ >= most || (tried_ > 0 && stop_()); }

  // Keeps the best few. Says whether it is one of them.
  bool consider(const std::string& text) {
    if (!seen_.insert(text).second) return false;
    ++tried_;
    const Box box = run_box_script({text, "script"}, machine_, product(machine_)).box;
    FoundScript found{text, costs_of_(box), 0};
    const auto less = [](const FoundScript& a, const FoundScript& b) { return a.costs < b.costs; };
    const auto place = std::upper_bound(best_.begin(), best_.end(), found, less);
    if (place == best_.end() && best_.size() >= kept) return false;
    best_.insert(place, std::move(found));
    if (best_.size() > kept) best_.pop_back();
    return true;
  }

  // The ranks counted in any order of the app's dimensions.
  void try_app_orders(std::int64_t most) {
    Extents order(app_.size());
    std::iota(order.begin(), order.end(), std::int64_t{0});
    while (std::next_permutation(order.begin(), order.end()) && !is_done(most))
      consider("app = box" + words(app_) + "\napp.transpose" + words(order) +
               "\nnet = machine\nnet.map app\n");
  }

  // The ranks in their order on the places counted in any order of the dimensions, the last
  // fastest.
  void try_orders(std::int64_t most) {
    Extents order(machine_.size());
    std::iota(order.begin(), order.end(), std::int64_t{0});
    do {
      if (is_done(most)) return;
      Extents counted, axes(order.size());
      for (std::size_t i = 0; i < order.size(); ++i) {
        counted.push_back(machine_[static_cast<std::size_t>(order[i])]);
        axes[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
      }
      consider("app = box" + words(counted) + "\napp.transpose" + words(axes) +
               "\nnet = machine\nnet.map app\n");
    } while (std::next_permutation(order.begin(), order.end()));
  }

  // Tiles of the app that are thin or whole first, the large before the small; of the machine the
  // most compact first.
  void try_tiles(std::int64_t most) {
    std::vector<Extents> tiles = tiles_of(app_), nets = tiles_of(machine_);
    std::stable_sort(tiles.begin(), tiles.end(), [&](const Extents& a, const Extents& b) {
      return std::pair(cuts_of(a, app_), -product(a)) < std::pair(cuts_of(b, app_), -product(b));
    });
    std::stable_sort(nets.begin(), nets.end(), [&](const Extents& a, const Extents& b) {
      return std::accumulate(a.begin(), a.end(), std::int64_t{0}) <
             std::accumulate(b.begin(), b.end(), std::int64_t{0});
    });
    std::map<std::int64_t, std::vector<const Extents*>> nets_of_size;
    for (const Extents& net : nets) nets_of_size[product(net)].push_back(&net);
    for (const Extents& tile : tiles) {
      const std::int64_t size = product(tile);
      if (size == 1 || size == product(app_)) continue;
      for (const Extents* const net : nets_of_size[size]) {
        if (is_done(most)) return;
        consider("app = box" + words(app_) + "\napp.tile" + words(tile) +
                 "\nnet = machine\nnet.tile" + words(*net) + "\nnet.map app\n");
      }
    }
  }

  // Lines that may stand at the end of a script.
  std::vector<std::string> endings() const {
    std::vector<std::string> lines;
    const std::size_t dimensions = machine_.size();
    for (const char* const part : {"net", "net[leaves]"})
      for (std::size_t axis = 0; axis < dimensions; ++axis)
        for (std::size_t along = 0; along < dimensions; ++along) {
          if (axis == along || machine_[axis] == 1 || machine_[along] == 1) continue;
          for (const int slope : {1, -1, 2})
            lines.push_back(std::string(part) + ".tilt " + std::to_string(axis) + " " +
                            std::to_string(along) + " " + std::to_string(slope) + "\n");
        }
    Extents order(dimensions);
    std::iota(order.begin(), order.end(), std::int64_t{0});
    constexpr std::size_t most_orders = 200;
    for (std::size_t i = 0; i < most_orders && std::next_permutation(order.begin(), order.end());
         ++i)
      lines.push_back("net[leaves].transpose" + words(order) + "\n");
    lines.emplace_back("net[leaves].zorder\n");
    lines.emplace_back("net[leaves].hilbert\n");
    return lines;
  }

  // Each of the best with one more line, as long as that brings a better one; at most `most_lines`
  // more.
  void climb() {
    constexpr int most_lines = 3;
    const std::vector<std::string> lines = endings();
    for (int i = 0; i < most_lines; ++i) {
      const std::vector<FoundScript> from = best_;
      bool better = false;
      for (const FoundScript& script : from)
        for (const std::string& line : lines) {
          if (is_done(most_)) return;
          better = consider(script.text + line) || better;
        }
      if (!better) return;
    }
  }

  const Extents& app_;
  const Extents& machine_;
  std::int64_t most_;
  const std::function<std::vector<double>(const Box&)>& costs_of_;
  const std::function<bool()>& stop_;
  std::vector<FoundScript> best_;  // the best first
  std::set<std::string> seen_;
  std::int64_t tried_ = 0;
};

}  // namespace

FoundScript search_scripts(std::span<const std::int64_t> app, std::span<const std::int64_t> machine,
                           std::int64_t most_scripts,
                           const std::function<std::vector<double>(const Box&)>& costs_of,
                           const std::function<bool()>& stop) {
  const Extents app_extents(app.begin(), app.end()),
      machine_extents(machine.begin(), machine.end());
  return Search(app_extents, machine_extents, std::max<std::int64_t>(1, most_scripts), costs_of,
                stop)
      .run();
}

}  // namespace rankmap
