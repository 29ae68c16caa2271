// Grids behind communication graphs.
#include "libmap/place/cartesian/grid.hpp"

#include <gtest/gtest.h>

#include "libmap/base/random.hpp"
#include "patterns/pattern.hpp"

namespace rankmap::test {
namespace {

std::string grid_text(const std::string& app) {
  const std::optional<GridLikeness> found = likest_grid(read_app(app));
  return found && found->is_good() ? found->grid.text() : "none";
}

struct Named {
  const char* app;
  const char* grid;
};
class Grids : public testing::TestWithParam<Named> {};

TEST_P(Grids, AreRecognised) {
  EXPECT_EQ(grid_text(GetParam().app), GetParam().grid);
}

INSTANTIATE_TEST_SUITE_P(
    Stencils, Grids,
    testing::Values(Named{"stencil:16x32,periodic", "16x32 periodic=xy"},
                    Named{"stencil:5x7", "5x7"}, Named{"stencil:5x7,points=9", "5x7"},
                    Named{"stencil:4x3,points=9", "4x3"},
                    Named{"stencil:3x4x5,points=27,periodic=xz", "3x4x5 periodic=xz"},
                    Named{"stencil:6x4x2,points=14", "6x4x2"}, Named{"stencil:2x2x2x2", "2x2x2x2"},
                    Named{"hypercube:32", "2x2x2x2x2"}, Named{"stencil:1x9x1", "9"},
                    Named{"ring:12", "12 periodic=x"}, Named{"chain:7", "7"},
                    Named{"stencil:4x4,periodic", "4x4 periodic=xy"},
                    Named{"stencil:8x8 / stencil:8x8,periodic=y", "8x8 periodic=y"},
                    Named{"stencil:6x6,bytes=1000 + bcast:36", "6x6"}, Named{"chain:1", "1"}));

INSTANTIATE_TEST_SUITE_P(Others, Grids,
                         testing::Values(Named{"star:12", "none"}, Named{"clique:7", "none"},
                                         Named{"tree:31", "none"},
                                         Named{"random:64,degree=6", "none"},
                                         Named{"shift:12,by=5", "none"}));

// All grids of three dimensions up to 5, every choice of periodic ones and of points.
TEST(Grid, IsRecognisedWhateverItsSizes) {
  for (const std::string points : {"", ",points=14", ",points=27"}) {
    for (int code = 0; code < 4 * 4 * 4 * 8; ++code) {
      std::string sizes, around;
      int rest = code;
      Grid expected;
      for (int d = 0; d < 3; ++d, rest /= 4) expected.extents.push_back(2 + rest % 4);
      for (int d = 0; d < 3; ++d, rest /= 2) {
        sizes +=
            (d == 0 ? "" : "x") + std::to_string(expected.extents[static_cast<std::size_t>(d)]);
        if (rest % 2 != 0) around += "xyz"[d];
        expected.periodic.push_back(rest % 2 != 0 &&
                                    expected.extents[static_cast<std::size_t>(d)] > 2);
      }
      const std::string app =
          "stencil:" + sizes + points + (around.empty() ? "" : ",periodic=" + around);
      const GridLikeness found = likest_grid(read_app(app)).value();
      EXPECT_EQ(found.bytes_explained, 1) << app;
      EXPECT_EQ(found.pairs_used, 1) << app;
      if (points.empty()) {
        EXPECT_EQ(found.grid.text(), expected.text()) << app;
      }
    }
  }
}

TEST(Grid, KnowsTheBytesOfItsDimensions) {
  GraphBuilder builder(12);  // 3x4: 5 bytes down, 2 and 1 to the right and back
  for (Rank rank = 0; rank < 12; ++rank) {
    if (rank < 8) builder.add({rank, rank + 4, 5, 1, 1, 0, none});
    if (rank % 4 < 3) builder.add({rank, rank + 1, 2, 1, 1, 0, none});
    if (rank % 4 < 3) builder.add({rank + 1, rank, 1, 1, 1, 0, none});
  }
  const Grid grid = likest_grid(std::move(builder).build("unequal")).value().grid;
  EXPECT_EQ(grid.text(), "3x4");
  EXPECT_EQ(grid.bytes, (std::vector<double>{5, 3}));
}

// A tenth of the edges is missing, as in a domain with holes.
TEST(Grid, MayHaveHoles) {
  Random random(3);
  const CommGraph whole = read_app("stencil:12x10");
  GraphBuilder builder(120);
  for (const Edge& edge : whole.edges())
    if (random.below(10) != 0) builder.add(edge);
  EXPECT_EQ(likest_grid(std::move(builder).build("holes")).value().grid.text(), "12x10");
}

TEST(Grid, OfNoTrafficIsNone) {
  EXPECT_FALSE(likest_grid(GraphBuilder(6).build("silence")));
}

}  // namespace
}  // namespace rankmap::test
