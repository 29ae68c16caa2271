// Foldings, from the few digits to the many.
#include <algorithm>

#include "libmap/place/cartesian/folding.hpp"

namespace rankmap {
namespace {

class Foldings {
 public:
  Foldings(const Grid& grid, const std::vector<Rank>& box,
           const std::function<bool(const Folding&)>& take, std::int64_t& tries)
      : grid_(grid), left_(box), take_(take), tries_(tries) {
    for (const Rank extent : box) room_ *= extent;
    folding_.of_grid.resize(grid.dimensions());
    folding_.of_machine.resize(box.size());
    need_after_.assign(grid.dimensions() + 1, 1);
    for (std::size_t d = grid.dimensions(); d-- > 0;)
      need_after_[d] = need_after_[d + 1] * grid.extents[d];
  }

  // `digits` of them in all. False: enough.
  bool with(std::size_t digits) {
    digits_left_ = digits;
    return walk(0, grid_.extents[0]);
  }

 private:
  // What is left of dimension d is `rest`.
  bool walk(std::size_t d, Rank rest) {
    if (rest == 1) {
      if (d + 1 == grid_.dimensions()) return digits_left_ > 0 || complete();
      return walk(d + 1, grid_.extents[d + 1]);
    }
    if (digits_left_ < grid_.dimensions() - d || room_ < need_after_[d + 1] * rest) return true;
    for (std::size_t k = 0; k < left_.size(); ++k) {
      const std::size_t j = (d + k) % left_.size();
      for (Rank radix = std::min(rest, left_[j]); radix >= 2; --radix)
        if ((rest % radix == 0 || radix == left_[j]) && !take_digit(d, rest, j, radix))
          return false;
    }
    return true;
  }

  bool take_digit(std::size_t d, Rank rest, std::size_t j, Rank radix) {
    if (--tries_ < 0) return false;
    std::vector<std::size_t>& stack = folding_.of_machine[j];
    std::vector<std::size_t>& own = folding_.of_grid[d];
    const Rank left_before = left_[j];
    const std::int64_t room_before = room_;
    left_[j] /= radix;
    room_ = room_before / left_before * left_[j];
    --digits_left_;
    const std::size_t digit = folding_.digits.size();
    folding_.digits.push_back({d, j, radix});
    bool more = true;
    for (std::size_t place = 0; more && place <= stack.size(); ++place) {
      // Right outside the digit before, it were the same as one larger digit.
      if (place < stack.size() && !own.empty() && stack[place] == own.back()) continue;
      stack.insert(stack.begin() + static_cast<std::ptrdiff_t>(place), digit);
      own.push_back(digit);
      more = walk(d, (rest + radix - 1) / radix);
      own.pop_back();
      stack.erase(stack.begin() + static_cast<std::ptrdiff_t>(place));
    }
    folding_.digits.pop_back();
    ++digits_left_;
    left_[j] = left_before;
    room_ = room_before;
    return more;
  }

  // With every choice of dimensions that turn back.
  bool complete() {
    std::vector<std::size_t> several;
    for (std::size_t j = 0; j < left_.size(); ++j)
      if (folding_.of_machine[j].size() > 1) several.push_back(j);
    for (unsigned set = 1U << several.size(); set-- > 0;) {
      folding_.snake.assign(left_.size(), 0);
      for (std::size_t i = 0; i < several.size(); ++i)
        folding_.snake[several[i]] = static_cast<char>(set >> i & 1U);
      if (!take_(folding_)) return false;
    }
    return true;
  }

  const Grid& grid_;
  std::vector<Rank> left_;  // of each dimension of the machine
  std::int64_t room_ = 1;   // their product
  const std::function<bool(const Folding&)>& take_;
  std::int64_t& tries_;
  std::vector<std::int64_t> need_after_;  // of the grid: places for the dimensions from d on
  std::size_t digits_left_ = 0;
  Folding folding_;
};

}  // namespace

void each_folding(const Grid& grid, const std::vector<Rank>& box,
                  const std::function<bool(const Folding&)>& take) {
  std::int64_t tries = std::int64_t{1} << 21;
  std::size_t most = 0;
  for (Rank n = grid.ranks(); n > 1; n = (n + 1) / 2) ++most;
  for (std::size_t digits = grid.dimensions(); digits <= most + grid.dimensions(); ++digits)
    if (!Foldings(grid, box, take, tries).with(digits)) return;
}

}  // namespace rankmap
