// Foldings: where they put ranks.
#include "libmap/place/cartesian/folding.hpp"

namespace rankmap {
namespace {

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

std::string letter(std::size_t dimension) {
  constexpr std::string_view letters = "xyztuvw";
  return dimension < letters.size() ? std::string(1, letters[dimension])
                                    : std::to_string(dimension);
}

}  // namespace

std::string Folding::text() const {
  std::string text;
  for (std::size_t d = 0; d < of_grid.size(); ++d) {
    text += (d == 0 ? "" : ", ") + letter(d) + " over";
    for (const std::size_t i : of_grid[d])
      text += " " + letter(digits[i].machine_dimension) + ":" + std::to_string(digits[i].radix);
  }
  return text;
}

Folded::Folded(const Grid& grid, const Folding& folding)
    : folding_(folding), sources_(folding.digits.size()) {
  const std::vector<Rank> strides = grid.strides();
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    Walk walk{strides[d], grid.extents[d], {}};
    const std::vector<std::size_t>& own = folding.of_grid[d];
    for (std::size_t i = 0; i < own.size(); ++i) sources_[own[i]] = {d, i};
    for (Rank place = 0; place < walk.extent; ++place) {
      Rank sweeps = place;
      for (const std::size_t i : own) {
        const Rank radix = folding.digits[i].radix, digit = sweeps % radix;
        sweeps /= radix;
        walk.digits.push_back(sweeps % 2 == 0 ? digit : radix - 1 - digit);
      }
    }
    walks_.push_back(std::move(walk));
  }
}

void Folded::place(Rank rank, std::vector<Rank>& coordinates) const {
  coordinates.resize(folding_.of_machine.size());
  for (std::size_t j = 0; j < coordinates.size(); ++j) {
    Rank place = 0;
    for (const std::size_t i : folding_.of_machine[j]) {
      const Walk& walk = walks_[sources_[i].walk];
      const Rank along = rank / walk.stride % walk.extent;
      const std::size_t own = folding_.of_grid[sources_[i].walk].size();
      Rank digit = walk.digits[at(along) * own + sources_[i].index];
      const Rank radix = folding_.digits[i].radix;
      if (folding_.snake[j] && place % 2 != 0) digit = radix - 1 - digit;
      place = place * radix + digit;
    }
    coordinates[j] = place;
  }
}

}  // namespace rankmap
