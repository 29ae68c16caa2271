// Links between GPUs as each end tells them, made into one row a pair.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace rankmap {

using ToldLinks = std::map<std::pair<int, int>, int>;  // [from, to] lanes

struct PeerLink {
  int a;  // a < b
  int b;
  int lanes;
};

struct PeerLinks {
  std::vector<PeerLink> links;
  std::vector<std::string>
      uneven;  // "gpu0-gpu1": the ends tell different counts, or only one tells
};

// A pair that one end tells is joined; of two counts the lesser is taken. O(links log links).
PeerLinks even_out(const ToldLinks& told);

// "nvlink links that the two ends ...: gpu0-gpu1, gpu0-gpu2, ..."; at most four pairs.
std::string uneven_warning(const std::string& kind, std::vector<std::string> uneven);

}  // namespace rankmap
