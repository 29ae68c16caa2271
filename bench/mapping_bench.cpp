// Multilevel mapping onto a tree of 4 x 8 x 6 slots (distances 1, 10, 100) against METIS's recursive
// bisection with parts in order and Scotch's gmap (where scotch_gmap is found), in one run:
// mapping_bench [--seeds N] [--rows LIST] APP... (patterns, file:PATH or a kind of mapping_graphs.hpp).
// Each row is a process of its own: CPU and memory are the kernel's. J is half of the hop-bytes.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "bench/mapping_graphs.hpp"
#include "bench/scotch.hpp"
#include "libmap/base/deadline.hpp"
#include "libmap/base/error.hpp"
#include "libmap/place/multilevel/metis.hpp"
#include "libmap/place/multilevel/tree_mapping.hpp"
#include "patterns/pattern.hpp"

namespace {

using namespace rankmap;

constexpr double imbalance = 0.03;

struct Result {
  double J = 0;  // may be beyond 2^53 only where nobody reads the last digits
  double most_over = 0;
  double seconds = 0;
};

struct Row {
  Result result;
  double cpu_seconds = 0;
  double memory_mib = 0;
};

// Of an app the weight of an edge is its bytes both ways; of a graph that is made, one way.
struct Graph {
  WeightedGraph graph;
  double one_way = 1;  // of the weight
};

struct Case {
  const WeightedGraph& graph;
  double one_way;
  TreeDistance distance{{4, 8, 6}, {1, 10, 100}};
  std::uint64_t seed = 0;
  int threads = 1;

  std::size_t blocks() const { return static_cast<std::size_t>(distance.blocks()); }
  double share() const {
    const Weight blocks = distance.blocks();
    return static_cast<double>((graph.total_vertex_weight() + blocks - 1) / blocks);
  }
};

std::vector<Block> by_metis(const Case& one) {
  return metis_partition(one.graph, one.distance.blocks(), {}, imbalance, one.seed,
                         MetisMethod::recursive);
}

std::vector<Block> by_scotch(const Case& one) {
  return bench::scotch_gmap(one.graph, "tleaf 3 6 100 8 10 4 1", one.seed);
}

template <Quality quality>
std::vector<Block> by_us(const Case& one) {
  const std::vector<Weight> capacity(one.blocks(),
                                     static_cast<Weight>(one.share() * (1 + imbalance)));
  const std::vector<int> outermost_first{6, 8, 4};
  return map_to_tree(one.graph, one.distance, outermost_first, capacity, effort_of(quality),
                     one.seed, one.threads);
}

Result measured(const Case& one, std::vector<Block> (*map)(const Case&)) {
  const Stopwatch watch;
  const std::vector<Block> block = map(one);
  Result result;
  result.seconds = watch.seconds();
  result.J = one.one_way * static_cast<double>(weighted_distance(one.graph, block, one.distance));
  std::vector<Weight> load(one.blocks(), 0);
  for (std::size_t v = 0; v < block.size(); ++v)
    load[static_cast<std::size_t>(block[v])] += one.graph.vertex_weight[v];
  result.most_over =
      static_cast<double>(*std::max_element(load.begin(), load.end())) / one.share() - 1;
  return result;
}

// In a child, so that what the kernel counts is of this row alone.
Row in_child(const Case& one, std::vector<Block> (*map)(const Case&)) {
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) throw SystemError::from_errno("make", "a pipe", errno);
  const pid_t child = fork();
  if (child < 0) throw SystemError::from_errno("start", "a process", errno);
  if (child == 0) {
    const Result result = measured(one, map);  // processes it starts and waits for count as its own
    const bool told = write(pipe_ends[1], &result, sizeof result) == sizeof result;
    _exit(told ? 0 : 1);
  }
  close(pipe_ends[1]);
  Row row;
  const bool heard = read(pipe_ends[0], &row.result, sizeof row.result) == sizeof row.result;
  close(pipe_ends[0]);
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  if (!heard) throw SystemError("a row of the table ended early");
  row.cpu_seconds = static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                    1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  row.memory_mib = static_cast<double>(usage.ru_maxrss) / 1024;
  return row;
}

struct Algorithm {
  const char* name;
  std::vector<Block> (*map)(const Case&);
  int threads;
};

constexpr Algorithm algorithms[] = {
    {"METIS recursive", by_metis, 1},      {"scotch_gmap", by_scotch, 1},
    {"fast", by_us<Quality::fast>, 1},     {"fast, 2 threads", by_us<Quality::fast>, 2},
    {"medium", by_us<Quality::medium>, 1}, {"medium, 2 threads", by_us<Quality::medium>, 2},
    {"strong", by_us<Quality::strong>, 1},
};

struct Options {
  int seeds = 3;
  std::string rows;  // names, with commas; empty: all
  std::vector<std::string> apps;

  bool wants(const Algorithm& algorithm) const {
    if (algorithm.map == by_scotch && !bench::has_scotch_gmap()) return false;
    return rows.empty() ||
           ("," + rows + ",").find("," + std::string(algorithm.name) + ",") != std::string::npos;
  }
};

Graph graph_of(const std::string& app) {
  if (std::optional<WeightedGraph> made = bench::made_graph(app)) return {std::move(*made), 1};
  return {weighted_graph(read_app(app)), 0.5};
}

// Means over the seeds 1 .. n.
void print_app(const std::string& text, const Options& options) {
  const Graph graph = graph_of(text);
  const int seeds = options.seeds;
  double metis_cpu = 0;
  for (const Algorithm& algorithm : algorithms) {
    if (!options.wants(algorithm)) continue;
    Row mean;
    for (int seed = 1; seed <= seeds; ++seed) {
      Case one{graph.graph, graph.one_way};
      one.seed = static_cast<std::uint64_t>(seed);
      one.threads = algorithm.threads;
      const Row row = in_child(one, algorithm.map);
      mean.result.J += row.result.J / seeds;
      mean.result.most_over = std::max(mean.result.most_over, row.result.most_over);
      mean.result.seconds += row.result.seconds / seeds;
      mean.cpu_seconds += row.cpu_seconds / seeds;
      mean.memory_mib = std::max(mean.memory_mib, row.memory_mib);
    }
    if (metis_cpu == 0) metis_cpu = std::max(mean.cpu_seconds, 1e-3);
    std::printf("| %s | %s | %.0f | %.2f s | %.1f | %.2f s | %.0f MiB | %.1f %% |\n", text.c_str(),
                algorithm.name, mean.result.J, mean.cpu_seconds, mean.cpu_seconds / metis_cpu,
                mean.result.seconds, mean.memory_mib, 100 * mean.result.most_over);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int count, char** words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    if (std::strcmp(words[i], "--seeds") == 0 && i + 1 < count)
      options.seeds = std::max(1, std::atoi(words[++i]));
    else if (std::strcmp(words[i], "--rows") == 0 && i + 1 < count)
      options.rows = words[++i];
    else
      options.apps.emplace_back(words[i]);
  }
  if (options.apps.empty())
    options.apps = {"stencil:32x32x32,points=27", "stencil:51x51x51", "stencil:181x181"};
  std::printf("| app | algorithm | J | CPU | to METIS | wall | memory | over its share |\n");
  std::printf("|---|---|---|---|---|---|---|---|\n");
  try {
    for (const std::string& app : options.apps) print_app(app, options);
  } catch (const Error& error) {
    std::fprintf(stderr, "mapping_bench: %s\n", error.what());
    return 1;
  }
  return 0;
}
