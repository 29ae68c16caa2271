// How long communication graph files take to read, beside counting the lines of the same file, and
// how much memory: one random graph in every format.
#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "libmap/base/random.hpp"
#include "libmap/graph/reader.hpp"
#include "libmap/graph/text_input.hpp"

namespace rankmap {
namespace {

struct Link {
  std::uint64_t low, high, bytes;
};

// Different pairs in no order; ten links a vertex.
std::vector<Link> random_links(std::size_t count, std::uint64_t vertices) {
  Random random(1);
  std::vector<std::uint64_t> keys;
  while (keys.size() < count) {
    while (keys.size() < count + count / 8) {
      const std::uint64_t a = random.below(vertices), b = random.below(vertices);
      if (a != b) keys.push_back(std::min(a, b) * vertices + std::max(a, b));
    }
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  }
  random.shuffle(keys);
  keys.resize(count);
  std::vector<Link> links;
  for (const std::uint64_t key : keys)
    links.push_back({key / vertices, key % vertices, 1 + random.below(100'000)});
  return links;
}

// Numbers and what stands between them, to a file.
class Output {
 public:
  explicit Output(const std::string& path) : file_(std::fopen(path.c_str(), "w"), std::fclose) {}
  Output& operator<<(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), file_.get());
    return *this;
  }
  Output& operator<<(std::uint64_t number) {
    std::array<char, 20> digits{};
    const auto end = std::to_chars(digits.begin(), digits.end(), number).ptr;
    return *this << std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data()));
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

using Links = const std::vector<Link>&;

void write_edge_list(Output& out, Links links, std::uint64_t vertices) {
  out << "# rankmap comm 1\nranks " << vertices << "\n";
  for (const Link& link : links) out << link.low << " " << link.high << " " << link.bytes << "\n";
}

void write_csv(Output& out, Links links, std::uint64_t) {
  out << "source,destination,bytes\n";
  for (const Link& link : links) out << link.low << "," << link.high << "," << link.bytes << "\n";
}

void write_matrix_market(Output& out, Links links, std::uint64_t vertices) {
  out << "%%MatrixMarket matrix coordinate integer symmetric\n"
      << vertices << " " << vertices << " " << links.size() << "\n";
  for (const Link& link : links)
    out << link.high + 1 << " " << link.low + 1 << " " << link.bytes << "\n";
}

// The neighbours of each vertex with the bytes of the link.
std::vector<std::vector<std::array<std::uint64_t, 2>>> lists_of(Links links,
                                                                std::uint64_t vertices) {
  std::vector<std::vector<std::array<std::uint64_t, 2>>> lists(vertices);
  for (const Link& link : links) {
    lists[link.low].push_back({link.high, link.bytes});
    lists[link.high].push_back({link.low, link.bytes});
  }
  return lists;
}

void write_metis(Output& out, Links links, std::uint64_t vertices) {
  out << vertices << " " << links.size() << " 001\n";
  for (const auto& list : lists_of(links, vertices)) {
    for (const auto& [vertex, bytes] : list) out << vertex + 1 << " " << bytes << " ";
    out << "\n";
  }
}

void write_scotch(Output& out, Links links, std::uint64_t vertices) {
  out << "0\n" << vertices << " " << 2 * links.size() << "\n0 010\n";
  for (const auto& list : lists_of(links, vertices)) {
    out << list.size();
    for (const auto& [vertex, bytes] : list) out << " " << bytes << " " << vertex;
    out << "\n";
  }
}

// All pairs of as many vertices as give so many numbers.
void write_table(Output& out, Links links, std::uint64_t) {
  std::uint64_t size = 1;
  while ((size + 1) * (size + 1) <= links.size()) ++size;
  for (std::uint64_t row = 0; row < size; ++row) {
    for (std::uint64_t column = 0; column < size; ++column)
      out << links[row * size + column].bytes << " ";
    out << "\n";
  }
}

struct FormatRow {
  const char* name;
  const char* extension;
  void (*write)(Output&, Links, std::uint64_t vertices);
};
constexpr std::array formats = {
    FormatRow{"edge_list", ".comm", write_edge_list},
    FormatRow{"csv", ".csv", write_csv},
    FormatRow{"matrix_market", ".mtx", write_matrix_market},
    FormatRow{"metis", ".graph", write_metis},
    FormatRow{"scotch", ".grf", write_scotch},
    FormatRow{"table", ".mat", write_table},
};

// Runs it in a process of its own; gives the peak of its memory in KiB.
template <typename Action>
double peak_of(Action action) {
  const pid_t child = ::fork();
  if (child == 0) {
    action();
    ::_exit(0);
  }
  rusage usage{};
  int status = 0;
  ::wait4(child, &status, 0, &usage);
  return status == 0 ? static_cast<double>(usage.ru_maxrss) : 0;
}

// Seconds to count the lines of a file.
double scan_seconds(const std::string& path) {
  const auto begin = std::chrono::steady_clock::now();
  TextInput text = TextInput::open(path, Bytes{1} << 40);
  std::size_t lines = 0;
  for (std::string_view line; text.next_line(line);) ++lines;
  benchmark::DoNotOptimize(lines);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void read_file(benchmark::State& state, const FormatRow& format) {
  const auto links = static_cast<std::size_t>(state.range(0));
  const std::string path = std::filesystem::temp_directory_path() /
                           ("rankmap_read_bench" + std::to_string(::getpid()) + format.extension);
  peak_of([&] {
    Output out(path);
    format.write(out, random_links(links, links / 10), links / 10);
  });
  const double size = static_cast<double>(std::filesystem::file_size(path));
  const double scan = std::min(scan_seconds(path), scan_seconds(path));
  std::size_t edges = 0;
  double seconds = 0;
  for (auto iteration : state) {
    const auto begin = std::chrono::steady_clock::now();
    edges = read_comm_graph(path).edges().size();
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  seconds /= static_cast<double>(state.iterations());
  state.counters["edges"] = static_cast<double>(edges);
  state.counters["file_MiB"] = size / (1 << 20);
  state.counters["MiB_per_s"] = size / (1 << 20) / seconds;
  state.counters["times_scan"] = seconds / scan;
  state.counters["peak_MiB"] = peak_of([&] { read_comm_graph(path); }) / 1024;
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace rankmap

int main(int count, char** values) {
  for (const rankmap::FormatRow& format : rankmap::formats)
    benchmark::RegisterBenchmark(
        (std::string("read/") + format.name).c_str(),
        [&format](benchmark::State& state) { rankmap::read_file(state, format); })
        ->Arg(1'000'000)
        ->Arg(10'000'000)
        ->Unit(benchmark::kMillisecond)
        ->MeasureProcessCPUTime();
  benchmark::Initialize(&count, values);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
