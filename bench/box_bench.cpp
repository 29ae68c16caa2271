// Operations on a box of a million ranks, and a whole script: google benchmark.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "libmap/place/box/script.hpp"

namespace {

using namespace rankmap;

const std::vector<std::int64_t> machine{64, 64, 64, 4};
constexpr std::int64_t cells = 1 << 20;

void run(benchmark::State& state, const std::string& text) {
  for (auto _ : state) benchmark::DoNotOptimize(run_box_script({text, "script"}, machine, cells));
}

// The operation alone is what it takes above `box`.
const char* const operations[] = {"div 8 8 8 2",       "mod 8 8 8 2", "cut 8 8 8 2 mod div mod div",
                                  "tile 1 1 1 1",      "tilt x z 3",  "shear x z 3",
                                  "zigzag x y 5 4",    "rotate y 9",  "swap z 1 60",
                                  "transpose t z y x", "zorder",      "hilbert",
                                  "shuffle 1"};

constexpr const char* whole =
    "app = box 256 64 64\napp.tile 1 64 64\nnet = machine\nnet.tile 64 64 1 1\nnet.map app\n"
    "net.tilt z x 1\nnet.tilt z y 1\n";

}  // namespace

int main(int count, char** words) {
  benchmark::RegisterBenchmark("box", run, std::string("a = machine\n"));
  for (const char* const operation : operations)
    benchmark::RegisterBenchmark((std::string("box, ") + operation).c_str(), run,
                                 std::string("a = machine\na.") + operation + "\n");
  benchmark::RegisterBenchmark("two boxes, map", run,
                               std::string("a = machine\nb = copy a\nb.map a\n"));
  benchmark::RegisterBenchmark("whole script", run, std::string(whole));
  benchmark::Initialize(&count, words);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
