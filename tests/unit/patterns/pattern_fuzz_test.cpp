// Random and damaged pattern texts either parse or are refused with one of our errors; what parses and
// is small is generated too.
#include <gtest/gtest.h>

#include "libmap/base/random.hpp"
#include "tests/unit/patterns/edges_of.hpp"

namespace rankmap {
namespace {

bool is_small(const Pattern& pattern) {
  std::uint64_t edges = 0;
  Rank ranks = 0;
  for (const auto& terms : pattern.phases) {
    for (const PatternTerm& term : terms) {
      edges += term.kind->edges(term);
      ranks = term.shape.ranks;
    }
  }
  return pattern.file.empty() && edges < 20000 && ranks < 20000;
}

void read_or_refuse(const std::string& text) {
  try {
    const Pattern pattern = parse_pattern(text);
    if (!is_small(pattern)) return;
    const CommGraph graph = generate(pattern);
    EXPECT_EQ(graph.ranks(), pattern.phases[0][0].shape.ranks);
  } catch (const Bug& bug) {
    FAIL() << bug.what() << " for " << text;
  } catch (const Error&) {
  }
}

std::vector<std::string> good_texts() {
  return {"ring:8,bytes=64KiB+star:8/chain:2x4,messages=3",
          "stencil:4x3x2,points=27,periodic=xz,weight=2",
          "stencil:2x2x2x2x2x2,corner,periodic",
          "alltoall:4x3x2,vary=xy,algorithm=ring",
          "allreduce:12,algorithm=rabenseifner,bytes=1001",
          "shift:4x5,dim=y,by=-2,periodic",
          "random:20,degree=5,seed=99+nccl:20",
          "tree:9,arity=3/bcast:9/reduce:3x3,vary=0",
          "butterfly:8+hypercube:8/allgather:8",
          "pf3d:2x3x4,bytes=1KiB",
          "parallel:2x2x2,order=pp-dp-tp,layers=4,hidden=64,seq=32,batch=2,microbatches=4"};
}

TEST(PatternFuzz, GoodTextsAreGood) {
  for (const std::string& text : good_texts()) EXPECT_NO_THROW(read_app(text)) << text;
}

TEST(PatternFuzz, EveryTruncationParsesOrIsRefused) {
  for (const std::string& text : good_texts())
    for (std::size_t size = 0; size < text.size(); ++size) read_or_refuse(text.substr(0, size));
}

TEST(PatternFuzz, MutationsParseOrAreRefused) {
  constexpr std::string_view alphabet = "0123456789xyztuv:,=+/- aeinrs";
  const std::vector<std::string> texts = good_texts();
  Random random(1);
  for (int round = 0; round < 30000; ++round) {
    std::string text = texts[random.below(texts.size())];
    for (std::uint64_t i = random.below(3) + 1; i > 0; --i) {
      const std::size_t at = random.below(text.size());
      const char c = random.below(8) == 0 ? static_cast<char>(random.below(256))
                                          : alphabet[random.below(alphabet.size())];
      if (random.below(3) == 0) text.insert(at, 1, c);
      if (random.below(3) == 0 && text.size() > 1) text.erase(at, 1);
      text[random.below(text.size())] = c;
    }
    read_or_refuse(text);
  }
}

TEST(PatternFuzz, RandomWordsParseOrAreRefused) {
  std::vector<std::string> words = {":",
                                    ":",
                                    ":8",
                                    ":4x2",
                                    ",",
                                    ",",
                                    "=",
                                    "+",
                                    "/",
                                    "x",
                                    "xy",
                                    "0",
                                    "2",
                                    "99999999",
                                    "16777216",
                                    "-1",
                                    "64KiB",
                                    "9223372036854775807",
                                    "18446744073709551615",
                                    "direct",
                                    "rabenseifner",
                                    " "};
  for (const PatternRow& row : pattern_rows())
    if (row.generate != nullptr) words.emplace_back(row.name);
  for (const PatternKeyRow& row : pattern_key_rows()) words.emplace_back(row.name);
  Random random(2);
  for (int round = 0; round < 30000; ++round) {
    std::string text = std::string(pattern_rows()[random.below(16)].name) + ":8";
    for (std::uint64_t i = random.below(10); i > 0; --i) text += words[random.below(words.size())];
    read_or_refuse(text);
  }
}

TEST(PatternFuzz, LongTextsAreReadInTime) {
  std::string text = "ring:2";
  for (int i = 0; i < 20000; ++i) text += i % 3 == 0 ? "/ring:2" : "+star:2";
  EXPECT_NO_THROW(read_app(text));
  EXPECT_THROW(parse_pattern(std::string(1000000, 'x')), InputError);
  EXPECT_THROW(parse_pattern("ring:" + std::string(1000000, '9')), InputError);
}

}  // namespace
}  // namespace rankmap
