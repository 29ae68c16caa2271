// The operations on boxes against their formulas, cell by cell, in random parts of random boxes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>

#include "libmap/base/error.hpp"
#include "libmap/base/random.hpp"
#include "libmap/place/box/cuts.hpp"
#include "libmap/place/box/moves.hpp"

namespace rankmap::test {
namespace {

using Coordinates = std::vector<std::int64_t>;

std::int64_t below(Random& random, std::int64_t bound) {
  return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(bound)));
}

Box random_box(Random& random) {
  Coordinates extents(1 + random.below(4));
  for (std::int64_t& extent : extents) extent = 1 + below(random, 6);
  Box box = make_box(extents);
  random.shuffle(box.rank_at);
  return box;
}

// Cuts it a few times, and gives one of its parts.
BoxView& random_part(Box& box, Random& random) {
  BoxView* part = &box.tree;
  for (std::uint64_t depth = random.below(3); depth > 0; --depth) {
    Coordinates divisors;
    std::vector<Slicing> how;
    for (std::size_t d = 0; d < part->dimensions; ++d) {
      divisors.push_back(1 + below(random, part->extents[d]));
      how.push_back(random.below(2) == 0 ? Slicing::div : Slicing::mod);
    }
    cut(*part, divisors, how);
    part = &part->children[random.below(part->children.size())];
  }
  return *part;
}

// The cell of every place of the part.
std::map<Coordinates, Rank> cells_by_place(const BoxView& part) {
  std::map<Coordinates, Rank> cells;
  Coordinates place(part.dimensions, 0);
  for_each_cell(part, [&](Rank cell) {
    cells[place] = cell;
    for (std::size_t d = part.dimensions; d-- > 0;) {
      if (++place[d] < part.extents[d]) break;
      place[d] = 0;
    }
  });
  return cells;
}

std::int64_t modulo(std::int64_t a, std::int64_t n) {
  return (a % n + n) % n;
}

struct Move {
  std::size_t axis, direction;
  std::int64_t a, b;
};

struct Formula {
  const char* name;
  bool two_axes;
  std::function<void(Box&, const BoxView&, const Move&)> run;
  std::function<void(Coordinates&, const BoxView&, const Move&)> moved;  // c becomes c'
};

const std::vector<Formula>& formulas() {
  static const std::vector<Formula> rows = {
      {"tilt", true,
       [](Box& box, const BoxView& part, const Move& move) {
         tilt(box, part, static_cast<std::int64_t>(move.axis),
              static_cast<std::int64_t>(move.direction), move.a);
       },
       [](Coordinates& c, const BoxView& part, const Move& move) {
         c[move.axis] = modulo(c[move.axis] + move.a * c[move.direction], part.extents[move.axis]);
       }},
      {"shear", true,
       [](Box& box, const BoxView& part, const Move& move) {
         shear(box, part, static_cast<std::int64_t>(move.axis),
               static_cast<std::int64_t>(move.direction), move.a);
       },
       [](Coordinates& c, const BoxView& part, const Move& move) {
         c[move.direction] =
             modulo(c[move.direction] + move.a * c[move.axis], part.extents[move.direction]);
       }},
      {"zigzag", true,
       [](Box& box, const BoxView& part, const Move& move) {
         zigzag(box, part, static_cast<std::int64_t>(move.axis),
                static_cast<std::int64_t>(move.direction), move.a, 1 + std::abs(move.b));
       },
       [](Coordinates& c, const BoxView& part, const Move& move) {
         const std::int64_t stride = 1 + std::abs(move.b), i = c[move.direction];
         const double base = std::floor(static_cast<double>(i) / static_cast<double>(2 * stride)) *
                                 static_cast<double>(2 * stride) +
                             static_cast<double>(stride);
         const double shift = static_cast<double>(move.a) -
                              std::floor(std::abs(static_cast<double>(i) - base) *
                                         static_cast<double>(move.a) / static_cast<double>(stride));
         c[move.axis] =
             modulo(c[move.axis] + static_cast<std::int64_t>(shift), part.extents[move.axis]);
       }},
      {"rotate", false,
       [](Box& box, const BoxView& part, const Move& move) {
         rotate(box, part, static_cast<std::int64_t>(move.axis), move.a);
       },
       [](Coordinates& c, const BoxView& part, const Move& move) {
         c[move.axis] = modulo(c[move.axis] + move.a, part.extents[move.axis]);
       }},
      {"swap", false,
       [](Box& box, const BoxView& part, const Move& move) {
         swap_planes(box, part, static_cast<std::int64_t>(move.axis),
                     modulo(move.a, part.extents[move.axis]),
                     modulo(move.b, part.extents[move.axis]));
       },
       [](Coordinates& c, const BoxView& part, const Move& move) {
         const std::int64_t a = modulo(move.a, part.extents[move.axis]),
                            b = modulo(move.b, part.extents[move.axis]);
         std::int64_t& here = c[move.axis];
         here = here == a ? b : here == b ? a : here;
       }},
  };
  return rows;
}

TEST(BoxMoves, FollowTheirFormulas) {
  Random random(1);
  for (int i = 0; i < 1500; ++i) {
    const Formula& formula = formulas()[random.below(formulas().size())];
    Box box = random_box(random);
    const BoxView& part = random_part(box, random);
    if (formula.two_axes && part.dimensions < 2) continue;
    Move move{random.below(part.dimensions), random.below(part.dimensions), below(random, 25) - 12,
              below(random, 9) - 4};
    while (formula.two_axes && move.axis == move.direction)
      move.direction = random.below(part.dimensions);
    const std::map<Coordinates, Rank> cells = cells_by_place(part);
    std::vector<Rank> expected = box.rank_at;
    for (const auto& [place, cell] : cells) {
      Coordinates target = place;
      formula.moved(target, part, move);
      expected[static_cast<std::size_t>(cells.at(target))] =
          box.rank_at[static_cast<std::size_t>(cell)];
    }
    formula.run(box, part, move);
    ASSERT_EQ(box.rank_at, expected) << formula.name << " in " << part.shape();
  }
}

// Bit b of c[i] is bit b x dimensions + i of the code.
TEST(BoxMoves, TheZOrderIsThatOfInterleavedBits) {
  Random random(2);
  for (int i = 0; i < 300; ++i) {
    Box box = random_box(random);
    const BoxView& part = random_part(box, random);
    std::map<std::uint64_t, Rank> by_code;
    std::vector<Rank> ranks;
    for (const auto& [place, cell] : cells_by_place(part)) {
      std::uint64_t code = 0;
      for (std::size_t d = 0; d < part.dimensions; ++d)
        for (std::size_t bit = 0; bit < 4; ++bit)
          code |= static_cast<std::uint64_t>(place[d] >> bit & 1) << (bit * part.dimensions + d);
      by_code[code] = cell;
      ranks.push_back(box.rank_at[static_cast<std::size_t>(cell)]);
    }
    std::vector<Rank> expected = box.rank_at;
    std::size_t next = 0;
    for (const auto& [code, cell] : by_code)
      expected[static_cast<std::size_t>(cell)] = ranks[next++];
    zorder(box, part);
    ASSERT_EQ(box.rank_at, expected) << part.shape();
  }
}

TEST(BoxMoves, HilbertsCurveGoesFromNeighbourToNeighbour) {
  for (const Coordinates& extents :
       {Coordinates{8, 8}, Coordinates{4, 4, 4}, Coordinates{2, 2, 2, 2}, Coordinates{32, 32},
        Coordinates{16}}) {
    Box box = make_box(extents);
    hilbert(box, box.tree);
    const std::vector<Rank> cell_of = cells_of_ranks(box);
    for (std::size_t rank = 1; rank < cell_of.size(); ++rank) {
      const std::vector<Rank> a = coordinates_of(box, cell_of[rank - 1]),
                              b = coordinates_of(box, cell_of[rank]);
      int steps = 0;
      for (std::size_t d = 0; d < a.size(); ++d) steps += std::abs(a[d] - b[d]);
      ASSERT_EQ(steps, 1) << box.tree.shape() << ", rank " << rank;
    }
  }
}

TEST(BoxMoves, KeepAllRanks) {
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    Box box = random_box(random);
    const BoxView& part = random_part(box, random);
    hilbert(box, part);
    shuffle(box, part, random.next());
    Coordinates axes(part.dimensions);
    for (std::size_t d = 0; d < axes.size(); ++d) axes[d] = static_cast<std::int64_t>(d);
    random.shuffle(axes);
    transpose(box, part, axes);
    ASSERT_EQ(std::set<Rank>(box.rank_at.begin(), box.rank_at.end()).size(), box.rank_at.size());
  }
}

// The k-th of the transposed order, as the loops say it.
TEST(BoxMoves, TransposeReadsInAnotherOrder) {
  Box box = make_box(Coordinates{2, 3, 4});
  transpose(box, box.tree, Coordinates{2, 0, 1});
  std::size_t next = 0;
  for (Rank z = 0; z < 4; ++z)
    for (Rank x = 0; x < 2; ++x)
      for (Rank y = 0; y < 3; ++y) EXPECT_EQ(box.rank_at[next++], (x * 3 + y) * 4 + z);
}

TEST(BoxMoves, ShufflesAreOfTheSeed) {
  Box a = make_box(Coordinates{10, 10}), b = a, c = a;
  shuffle(a, a.tree, 1);
  shuffle(b, b.tree, 1);
  shuffle(c, c.tree, 2);
  EXPECT_EQ(a.rank_at, b.rank_at);
  EXPECT_NE(a.rank_at, c.rank_at);
}

TEST(BoxCuts, AreDisjointAndCover) {
  Random random(4);
  for (int i = 0; i < 300; ++i) {
    Box box = random_box(random);
    random_part(box, random);
    std::vector<Rank> cells;
    for (const BoxView* const leaf : leaves_of(box.tree))
      for_each_cell(*leaf, [&](Rank cell) { cells.push_back(cell); });
    std::sort(cells.begin(), cells.end());
    for (std::size_t cell = 0; cell < box.rank_at.size(); ++cell)
      ASSERT_EQ(cells[cell], static_cast<Rank>(cell));
    ASSERT_EQ(cells.size(), box.rank_at.size());
  }
}

TEST(BoxMaps, AreUndoneByMappingBack) {
  Random random(5);
  Box app = make_box(Coordinates{4, 6, 2}), net = make_box(Coordinates{6, 8});
  tile(app.tree, Coordinates{2, 3, 2}, false);
  tile(net.tree, Coordinates{3, 4}, false);
  const std::vector<Rank> order = app.rank_at;
  map_box(net, app);
  EXPECT_NE(net.rank_at, order);
  map_box(app, net);
  EXPECT_EQ(app.rank_at, order);
}

TEST(Boxes, RefuseWhatDoesNotFit) {
  EXPECT_THROW(make_box(Coordinates{}), UsageError);
  EXPECT_THROW(make_box(Coordinates(9, 1)), UsageError);
  EXPECT_THROW(make_box(Coordinates{1 << 20, 1 << 20, 1 << 30}), UsageError);
  Box box = make_box(Coordinates{4, 6});
  EXPECT_THROW(tile(box.tree, Coordinates{4, 4}, false), UsageError);
  EXPECT_THROW(child_at(box.tree, Coordinates{0, 0}), UsageError);
  EXPECT_THROW(views_at_level(box.tree, 1), UsageError);
  EXPECT_THROW(views_at_level(box.tree, -1), UsageError);
  tile(box.tree, Coordinates{2, 3}, false);
  EXPECT_THROW(child_at(box.tree, Coordinates{2, 0}), UsageError);
  EXPECT_THROW(child_at(box.tree, Coordinates{0}), UsageError);
  EXPECT_EQ(child_at(box.tree, Coordinates{1, 1}).offset, 2 * 6 + 3);
  EXPECT_THROW(tilt(box, box.tree, 0, 1, std::int64_t{1} << 40), UsageError);
  Box far = make_box(Coordinates(8, 1));
  far.tree.extents[0] = 1 << 9;  // 8 x 9 bits
  EXPECT_THROW(hilbert(far, far.tree), UsageError);
}

}  // namespace
}  // namespace rankmap::test
