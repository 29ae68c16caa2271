// What pattern texts are refused, with which words and at which column.
#include <gtest/gtest.h>

#include "tests/unit/libmap/graph/message_of.hpp"
#include "tests/unit/patterns/edges_of.hpp"

namespace rankmap {
namespace {

std::string refusal(const std::string& text) {
  return message_of([&] { parse_pattern(text); });
}

constexpr const char* kinds =
    "expected one of: ring, shift, chain, star, tree, clique, hypercube, butterfly, stencil, "
    "alltoall, allgather, allreduce, bcast, reduce, nccl, random, pf3d, parallel, file";

TEST(PatternErrors, TellUnknownKeysAndWhatIsExpected) {
  EXPECT_EQ(refusal("stencil:8x16,point=9"),
            "pattern:1:14: unknown key \"point\", expected one of: points, periodic, bytes, "
            "messages, weight, face, corner, all");
  EXPECT_EQ(refusal("ring:8,periodic"),
            "pattern:1:8: unknown key \"periodic\", expected one of: bytes, messages, weight");
  EXPECT_EQ(refusal("tree:8,"),
            "pattern:1:8: unknown key \"\", expected one of: arity, bytes, messages, weight");
}

TEST(PatternErrors, ColumnsCountThroughLaterParts) {
  EXPECT_EQ(refusal("ring:8 + star:8/chain:8,by=1"),
            "pattern:1:25: unknown key \"by\", expected one of: bytes, messages, weight");
  EXPECT_EQ(refusal("ring:8,bytes=1+shift:8,dim=q"),
            "pattern:1:28: dim is \"q\", expected dimensions out of x or digits from 0");
  EXPECT_EQ(refusal("ring:8/ring:9"),
            "pattern:1:13: ring of 9 ranks, expected 8 as in the first part");
}

TEST(PatternErrors, UnknownKindsListAllKinds) {
  EXPECT_EQ(refusal("rings:8"),
            std::string("pattern:1:1: unknown pattern kind \"rings\", ") + kinds);
  EXPECT_EQ(refusal("serial:8"),
            std::string("pattern:1:1: unknown pattern kind \"serial\", ") + kinds);
  EXPECT_EQ(refusal("ring:8+"), std::string("pattern:1:8: unknown pattern kind \"\", ") + kinds);
  EXPECT_EQ(refusal(""), std::string("pattern:1:1: unknown pattern kind \"\", ") + kinds);
  EXPECT_EQ(refusal("app.comm"), std::string("pattern:1:1: unknown pattern kind \"app.comm\", ") +
                                     kinds +
                                     " (a file of a communication graph is written file:PATH)");
}

TEST(PatternErrors, DimensionsMustBeNumbersFromOne) {
  const std::string dims = ", expected DIMS such as 8 or 4x4x2, each at least 1";
  EXPECT_EQ(refusal("ring"), "pattern:1:5: expected : and DIMS after \"ring\", as in ring:8");
  EXPECT_EQ(refusal("ring:"), "pattern:1:6: found \"\"" + dims);
  EXPECT_EQ(refusal("ring:0"), "pattern:1:6: found \"0\"" + dims);
  EXPECT_EQ(refusal("ring:8x"), "pattern:1:8: found \"\"" + dims);
  EXPECT_EQ(refusal("ring:8x-2"), "pattern:1:8: found \"-2\"" + dims);
  EXPECT_EQ(refusal("ring:4x4y"), "pattern:1:8: found \"4y\"" + dims);
  EXPECT_EQ(refusal("stencil:1x1x1x1x1x1x1"), "pattern:1:21: more than 6 dimensions");
}

TEST(PatternErrors, TooManyRanksAreRefused) {
  const std::string limit = "too many ranks, expected a product of the DIMS of at most 16777216";
  EXPECT_EQ(refusal("ring:16777217"), "pattern:1:6: " + limit);
  EXPECT_EQ(refusal("ring:4096x4097"), "pattern:1:11: " + limit);
  EXPECT_EQ(refusal("ring:99999999999999999999999"), "pattern:1:6: " + limit);
  EXPECT_EQ(refusal("ring:16777216"), "no error");
}

TEST(PatternErrors, TooManyEdgesAreCountedAndRefused) {
  EXPECT_EQ(
      refusal("alltoall:100000"),
      "pattern:1:1: alltoall of 100000 ranks has 9999900000 edges, expected at most 67108864");
  EXPECT_EQ(refusal("clique:16777216"),
            "pattern:1:1: clique of 16777216 ranks has 281474959933440 edges, "
            "expected at most 67108864");
  EXPECT_EQ(refusal("random:16777216,degree=1000"),
            "pattern:1:1: random of 16777216 ranks has 16777216000 edges, "
            "expected at most 67108864");
  EXPECT_EQ(refusal("stencil:4096x4096"), "no error");
  EXPECT_EQ(
      refusal("stencil:4096x4096+ring:16777216"),
      "pattern:1:19: ring of 16777216 ranks has 16777216 edges (83869696 with the parts before "
      "it), expected at most 67108864");
}

TEST(PatternErrors, HypercubesNeedAPowerOfTwo) {
  EXPECT_EQ(refusal("hypercube:12"),
            "pattern:1:11: hypercube of 12 ranks, expected a power of two");
  EXPECT_EQ(refusal("ring:6+butterfly:6"),
            "pattern:1:18: butterfly of 6 ranks, expected a power of two");
  EXPECT_EQ(refusal("allgather:4x3,algorithm=recursive-doubling"),
            "pattern:1:1: allgather by recursive-doubling among 12 ranks, expected a power of two");
  EXPECT_EQ(refusal("allgather:4x3,algorithm=recursive-doubling,vary=x"), "no error");
}

TEST(PatternErrors, ValuesMustMeanSomething) {
  EXPECT_EQ(refusal("ring:8,bytes=fast"),
            "pattern:1:14: bytes is \"fast\", expected a size such as 4096, 64KiB or 1.5GB");
  EXPECT_EQ(refusal("ring:8,messages=0"),
            "pattern:1:17: messages is \"0\", expected a whole number of 1 to 4611686018427387904");
  EXPECT_EQ(refusal("ring:8,weight=1.5"),
            "pattern:1:15: weight is \"1.5\", expected a whole number of 1 to 1000000000");
  EXPECT_EQ(refusal("tree:8,arity=0"),
            "pattern:1:14: arity is \"0\", expected a whole number of 1 to 16777216");
  EXPECT_EQ(refusal("shift:8,by=0"), "pattern:1:12: by is \"0\", expected a number other than 0");
  EXPECT_EQ(refusal("random:8,degree=8"),
            "pattern:1:17: degree is \"8\", expected a whole number of 2 to 7");
  EXPECT_EQ(refusal("random:8,seed=-1"),
            "pattern:1:15: seed is \"-1\", expected a whole number of 0 to 18446744073709551615");
  EXPECT_EQ(refusal("ring:8,bytes"),
            "pattern:1:8: key \"bytes\" without a value, expected bytes=SIZE");
  EXPECT_EQ(refusal("stencil:8,face=1"),
            "pattern:1:16: found a value, expected the flag face alone");
  EXPECT_EQ(refusal("ring:8,bytes=1,bytes=2"),
            "pattern:1:16: key \"bytes\" again, expected it once");
}

TEST(PatternErrors, AlgorithmsBelongToTheirCollective) {
  EXPECT_EQ(refusal("allgather:8,algorithm=rabenseifner"),
            "pattern:1:23: unknown algorithm \"rabenseifner\" of allgather, expected one of: ring, "
            "direct, recursive-doubling");
  EXPECT_EQ(
      refusal("bcast:8,algorithm="),
      "pattern:1:19: unknown algorithm \"\" of bcast, expected one of: binomial, direct, ring, "
      "tree");
}

TEST(PatternErrors, DimensionsMustBeThere) {
  EXPECT_EQ(refusal("stencil:4x4,periodic=xz"),
            "pattern:1:22: periodic is \"xz\", expected dimensions out of x, y or digits from 0");
  EXPECT_EQ(refusal("stencil:4x4,periodic=xx"),
            "pattern:1:22: periodic is \"xx\", expected every dimension once");
  EXPECT_EQ(refusal("alltoall:4x4,vary="),
            "pattern:1:19: vary is \"\", expected dimensions out of x, y");
  EXPECT_EQ(refusal("shift:4x4,dim=xy"), "pattern:1:15: dim is \"xy\", expected one of x, y");
  EXPECT_EQ(refusal("stencil:2x2x2x2x2x2,periodic=xyztuv"), "no error");
  EXPECT_EQ(refusal("stencil:2x2x2x2x2x2,periodic=012345"), "no error");
}

TEST(PatternErrors, PointsMustSuitTheDimensions) {
  EXPECT_EQ(refusal("stencil:4x4,points=7"), "pattern:1:20: points is \"7\", expected 5, 9 in 2-D");
  EXPECT_EQ(refusal("stencil:4x4x4,points=0"),
            "pattern:1:22: points is \"0\", expected 7, 14, 27 in 3-D");
  EXPECT_EQ(refusal("stencil:2x2x2x2,points=9"),
            "pattern:1:17: points in 4 dimensions, expected face, corner or all");
  EXPECT_EQ(refusal("stencil:4x4,points=5,all"),
            "pattern:1:22: all beside points, expected one or the other");
  EXPECT_EQ(refusal("stencil:4x4,all,points=5"),
            "pattern:1:17: points beside face, corner or all, expected one or the other");
}

TEST(PatternErrors, FilesCombineWithNothing) {
  EXPECT_EQ(refusal("ring:4+file:a"),
            "pattern:1:8: file: beside other patterns, expected it alone");
  EXPECT_EQ(refusal("file:"), "pattern:1:6: expected a path after file:");
  EXPECT_EQ(parse_pattern("file:a+b,c/d").file, "a+b,c/d");
  EXPECT_EQ(parse_pattern("-").file, "-");
}

TEST(PatternErrors, ProductsBeyond63BitsAreRefused) {
  EXPECT_EQ(message_of([] { read_app("star:2+ring:2,bytes=1TiB,messages=10000000"); }),
            "pattern:1:8: bytes and messages multiply to more than 63 bits hold");
  EXPECT_EQ(message_of([] { read_app("allgather:64,bytes=9000000TB"); }),
            "pattern:1:1: bytes and messages multiply to more than 63 bits hold");
  EXPECT_EQ(message_of([] { read_app("ring:4,bytes=4000000TB"); }),
            "ring:4,bytes=4000000TB: the bytes of the app add up to more than 63 bits hold");
}

TEST(PatternTables, EveryKeyOfAKindIsDescribed) {
  for (const PatternRow& row : pattern_rows()) {
    EXPECT_FALSE(row.summary.empty()) << row.name;
    for (const std::string_view key : row.keys) {
      bool found = false;
      for (const PatternKeyRow& described : pattern_key_rows()) found |= described.name == key;
      EXPECT_TRUE(found) << row.name << " " << key;
    }
  }
}

TEST(PatternText, BlanksAroundPartsMeanNothing) {
  EXPECT_EQ(arcs(" ring:4 , bytes=2\t/ chain:4 \n"), arcs("ring:4,bytes=2/chain:4"));
}

}  // namespace
}  // namespace rankmap
