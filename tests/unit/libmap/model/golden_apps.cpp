#include "tests/unit/libmap/model/golden_apps.hpp"

namespace rankmap::test {

Pairs chain(Rank ranks) {
  Pairs pairs;
  for (Rank i = 1; i < ranks; ++i) pairs.emplace_back(i - 1, i);
  return pairs;
}

Pairs ring(Rank ranks) {
  Pairs pairs = chain(ranks);
  if (ranks > 2) pairs.emplace_back(0, ranks - 1);
  return pairs;
}

Pairs star(Rank ranks) {
  Pairs pairs;
  for (Rank i = 1; i < ranks; ++i) pairs.emplace_back(0, i);
  return pairs;
}

Pairs binary_tree(Rank ranks) {
  Pairs pairs;
  for (Rank i = 1; i < ranks; ++i) pairs.emplace_back((i - 1) / 2, i);
  return pairs;
}

Pairs clique(Rank ranks) {
  Pairs pairs;
  for (Rank i = 0; i < ranks; ++i) {
    for (Rank j = i + 1; j < ranks; ++j) pairs.emplace_back(i, j);
  }
  return pairs;
}

CommGraph golden_app(const std::string& pattern, Rank ranks) {
  Pairs pairs = ring(ranks);
  if (pattern == "chain") pairs = chain(ranks);
  if (pattern == "star") pairs = star(ranks);
  if (pattern == "btree") pairs = binary_tree(ranks);
  if (pattern == "clique") pairs = clique(ranks);
  if (pattern == "ring+tree") {
    for (const auto& pair : binary_tree(ranks)) pairs.push_back(pair);  // merged by the builder
  }
  GraphBuilder builder(ranks);
  const std::uint32_t weight = pattern == "ring2x" ? 2 : 1;
  for (const auto& [a, b] : pairs) builder.add({a, b, 1, 1, weight, 0, none});
  return std::move(builder).build(pattern);
}

}  // namespace rankmap::test
