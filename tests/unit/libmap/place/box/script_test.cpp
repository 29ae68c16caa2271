// Box scripts: what they mean, their errors with their places, and broken ones.
#include "libmap/place/box/script.hpp"

#include <gtest/gtest.h>

#include "libmap/base/error.hpp"
#include "libmap/base/random.hpp"

namespace rankmap::test {
namespace {

const std::vector<std::int64_t> torus{8, 8, 8, 4};

BoxScriptResult run(const std::string& text) {
  return run_box_script({text, "f"}, torus, 8 * 8 * 8 * 4);
}

std::string refusal_of(const std::string& text) {
  try {
    run(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

constexpr const char* tilted =
    "# planes of 128 ranks onto slabs\n"
    "app = box 16 8 16\n"
    "app.tile 1 8 16\n"
    "net = machine\n"
    "\n"
    "net.tile 8 8 2 1   # a slab\n"
    "net.map app\n"
    "net.tilt z x 1\n";

TEST(BoxScripts, SayWhatEachLineDid) {
  const BoxScriptResult result = run(tilted);
  EXPECT_EQ(result.name, "net");
  ASSERT_EQ(result.steps.size(), 6U);
  EXPECT_EQ(result.steps[0].effect, "16x8x16, 2048 ranks");
  EXPECT_EQ(result.steps[3].line, 6U);
  EXPECT_EQ(result.steps[3].text, "net.tile 8 8 2 1");
  EXPECT_EQ(result.steps[3].effect, "16 leaves of 8x8x2x1");
  EXPECT_EQ(result.steps[4].effect,
            "16 leaves of 1x8x16 onto 16 leaves of 8x8x2x1; rank 0 at (0,0,0,0); rank 1 at "
            "(0,0,1,0); rank 2 at (0,1,0,0)");
  EXPECT_EQ(result.steps[5].effect, "moved 1792 of 2048 ranks");  // all but the plane x = 0
}

TEST(BoxScripts, TakeBlanksAndLineEndsOfAnyKind) {
  std::string other = "\t app=box 16 8 16\r\napp . tile";
  EXPECT_NE(refusal_of(other).find("f:2:6: found \" tile\", expected one of: map"),
            std::string::npos)
      << refusal_of(other);
  other =
      "\t app=box 16 8 16\r\napp.tile\t1 8 16\r\nnet =machine#all\r\nnet.tile 8 8 2 1\r\nnet.map "
      "app\r\nnet[ leaves ].tilt x y 0\nnet.tilt 2 0 1";
  EXPECT_EQ(run(other).box.rank_at, run(tilted).box.rank_at);
}

TEST(BoxScripts, GiveTheBoxThatWasMappedLast) {
  EXPECT_EQ(run("a = box 4\nb = machine\nc = box 2 2\n").name, "b");
  EXPECT_EQ(run("a = box 4\nc = box 2 2\n").name, "c");
  EXPECT_EQ(run("a = box 4\nb = machine\nc = box 2 2\nc.map a\nd = copy b").name, "c");
  EXPECT_EQ(run("a = box 4\na = copy a\na.rotate x 1").box.rank_at,
            (std::vector<Rank>{3, 0, 1, 2}));
}

TEST(BoxScripts, SelectParts) {
  const std::string cut = "a = box 4 4\na.div 2 2\n";
  EXPECT_EQ(run(cut + "a[0,1].rotate y 1").box.rank_at,
            (std::vector<Rank>{0, 1, 3, 2, 4, 5, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15}));
  EXPECT_EQ(run(cut + "a[leaves].rotate y 1").box.rank_at,
            run(cut + "a[level 1].rotate y 1").box.rank_at);
  EXPECT_EQ(run(cut + "a[1,0][leaves].rotate y 1").box.rank_at,
            run(cut + "a[1,0].rotate y 1").box.rank_at);
  EXPECT_EQ(run(cut + "a[1,0].mod 2 1\na[1,0][1,0].swap y 0 1").box.rank_at,
            (std::vector<Rank>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 12, 14, 15}));
}

TEST(BoxScripts, AreRefusedWithTheirPlace) {
  const struct {
    const char* text;
    const char* says;
  } rows[] = {
      {"", "f:1:1: the script has no box"},
      {"# nothing\n", "the script has no box"},
      {"8box = box 2", "f:1:1: found \"8box\", expected the name of a box"},
      {"a = bix 2", "f:1:5: found \"bix\", expected box, machine or copy"},
      {"a = box", "f:1:5: found the end of the line, expected box EXTENTS..."},
      {"a = box 2 x", "f:1:11: found \"x\", expected a whole number in box EXTENTS..."},
      {"a = box 0 2", "f:1:5: found the extent 0"},
      {"a = box 4096", "f:1:5: this box is too large, expected at most 2048 cells"},
      {"a = machine 4", "f:1:13: found \"4\", expected machine"},
      {"a = copy b", "f:1:10: there is no box \"b\""},
      {"a = copy", "f:1:5: found the end of the line, expected copy BOX"},
      {"a.tilt 0 1 1", "f:1:1: there is no box \"a\", expected a line before"},
      {"a = box 2 2\nb.tilt 0 1 1", "f:2:1: there is no box \"b\", expected one of: a"},
      {"a = box 2 2\na tilt 0 1 1", "f:2:3: found \"tilt 0 1 1\", expected = and a new box, or ."},
      {"a = box 2 2\na.lean 0 1 1", "f:2:3: unknown operation \"lean\", expected one of: map, div"},
      {"a = box 2 2\na.tilt 0 1",
       "f:2:3: found the end of the line, expected tilt AXIS DIRECTION SLOPE"},
      {"a = box 2 2\na.tilt 0 1 1 1", "f:2:14: found \"1\", expected tilt AXIS"},
      {"a = box 2 2\na.tilt 0 0 1", "f:2:3: found the axis 0 as its own direction"},
      {"a = box 2 2\na.tilt 0 z 1", "f:2:3: found the direction 2, expected 0 to 1"},
      {"a = box 2 2\na.tilt 0 w 1", "f:2:10: found \"w\", expected an axis"},
      {"a = box 2 2\na.cut 2 2 div", "f:2:3: found 1 times div or mod"},
      {"a = box 2 2\na.cut 2 div 2", "f:2:13: found \"2\", expected div or mod"},
      {"a = box 2 2\na.swap x 0 2", "f:2:3: found the plane 2, expected 0 to 1"},
      {"a = box 2 2\na.shuffle -1", "f:2:11: found \"-1\", expected a whole number from 0"},
      {"a = box 2 2\na[0,0].zorder", "f:2:2: this part was not cut"},
      {"a = box 2 2\na.div 2\na[2].zorder", "f:3:2: found the place 2, expected 0 to 1"},
      {"a = box 2 2\na[level].zorder", "f:2:8: found \"\", expected leaves, level and a number"},
      {"a = box 2 2\na[level 1].zorder", "f:2:2: found the level 1"},
      {"a = box 2 2\na[leaves.zorder", "f:2:3: found \"leaves.zorder\""},
      {"a = box 2 2\na[0,0", "f:2:6: found the end of the text, expected ]"},
      {"a = box 2 2\na.div 2\nb = box 4\na.map b[0]",
       "f:4:3: found a part of a box, expected whole"},
      {"a = box 10\na.tile 4", "f:2:3: found the size 4, expected one that divides the extent 10"},
      {"a = box 4\nb = box 2 2\nb.div 2\nb.map a",
       "f:4:3: found 1 leaves to be mapped onto 2, expected as many of both"},
      {"a = box 12\na.div 5\nb = box 12\nb.mod 5\nb.map a",
       "f:5:3: leaf 0 is 2, to be mapped onto one of 3, expected leaves of the same size"},
  };
  for (const auto& row : rows)
    EXPECT_NE(refusal_of(row.text).find(row.says), std::string::npos) << row.text << "\n"
                                                                      << refusal_of(row.text);
}

TEST(BoxScripts, DoNotGrowOutOfProportion) {
  std::string text = "a = machine\n";
  for (int i = 0; i < 20; ++i) text += "a.div 8 8 8 4\n";
  EXPECT_NE(refusal_of(text).find("f:6:3: the script cuts boxes into more than 8192 parts"),
            std::string::npos);
  text.clear();
  for (int i = 0; i < 101; ++i) text += "a" + std::to_string(i) + " = machine\n";
  EXPECT_NE(refusal_of(text).find("f:101:8: a script has at most 100 boxes"), std::string::npos)
      << refusal_of(text);
  EXPECT_NE(refusal_of(std::string(20'000, '\n')).find("at most 10,000 lines"), std::string::npos);
}

// Good scripts with a few bytes changed: read, or refused with a place.
TEST(BoxScripts, BrokenOnesAreReadOrRefused) {
  Random random(1);
  std::string good = tilted;
  good +=
      "net[leaves].zigzag x y 2 1\nnet[level 1].hilbert\nnet[0,0,1,0].shuffle 7\n"
      "app.cut 2 2 div mod\nold = copy net\nold.transpose x y z t\n";
  const std::string bytes = "\n\r\t #=.,[]0123456789xyztaelmnop-\x80\xff";
  ASSERT_EQ(refusal_of(good), "accepted");
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = good;
    for (std::uint64_t change = 1 + random.below(3); change > 0; --change) {
      const std::size_t where = random.below(text.size());
      const char byte = bytes[random.below(bytes.size())];
      switch (random.below(3)) {
        case 0:
          text[where] = byte;
          break;
        case 1:
          text.insert(where, 1, byte);
          break;
        default:
          text.erase(where, 1 + random.below(5));
      }
    }
    refused += refusal_of(text) != "accepted";
  }
  EXPECT_GT(refused, 1000);
  EXPECT_LT(refused, 3000);
}

}  // namespace
}  // namespace rankmap::test
