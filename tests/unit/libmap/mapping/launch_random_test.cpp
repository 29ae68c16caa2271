// Random command lines: the parser never breaks, and what it accepts keeps every word.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "launch_lines.hpp"

namespace rankmap {
namespace {

constexpr LauncherKind kinds[] = {
    LauncherKind::openmpi, LauncherKind::prrte, LauncherKind::hydra,
    LauncherKind::intel,   LauncherKind::srun,  LauncherKind::flux,
    LauncherKind::jsrun,   LauncherKind::pals,  LauncherKind::torchrun,
};

const std::vector<std::string> pieces = {
    "-n",
    "-np",
    "--np",
    "4",
    "-n4",
    "--ntasks=2",
    "--ntasks",
    ":",
    "--",
    "-",
    "",
    "=",
    "--=",
    "-=",
    "---",
    "./app",
    "app arg",
    "-x",
    "A=b",
    "-genv",
    "A",
    "b",
    "--mca",
    "-mca",
    "--bind-to",
    "none",
    "--cpu-bind=none",
    "--cpu-bind",
    "-o",
    "cpu-affinity=off",
    "-b",
    "--bind",
    "-m",
    "--module",
    "--no-python",
    "-r3",
    "-vv",
    "-l",
    "-I",
    "--export=NONE",
    "--export",
    "-D",
    "--env-remove=*",
    "--envnone",
    "--gpus-per-task=1",
    "run",
    "--multi-prog",
    "-f",
    "--host",
    "n0:2",
    "--shiny",
    "--shiny=1",
    "-rf",
    "--map-by",
    "slot:pe=2",
    "\xff\xfe",
    "-\n",
    "--nproc_per_node=2",
    "-E",
    "--env",
    "--env=A=1",
    "-ppn",
    "--erf_input",
    "''",
};

std::vector<std::string> random_line(std::mt19937& random) {
  std::vector<std::string> line = {"launcher"};
  if (random() % 3 == 0) line.push_back("run");
  const std::size_t length = random() % 9;
  for (std::size_t i = 0; i < length; ++i) line.push_back(pieces[random() % pieces.size()]);
  return line;
}

LaunchOptions random_options(std::mt19937& random) {
  LaunchOptions options;
  options.wrapper = "@wrapper";
  options.stage = random() % 2 == 0;
  if (random() % 2 == 0) options.variables = {{"RANKMAP_X", "y"}};
  if (random() % 4 == 0) options.rankfile = "@rankfile";
  if (random() % 4 == 0) options.launcher_words = {"@word"};
  if (random() % 4 == 0) options.inherited = {{"SLURM_EXPORT_ENV", "NONE"}};
  return options;
}

bool is_module_switch(LauncherKind kind, const std::string& word) {
  return kind == LauncherKind::torchrun &&
         (word == "--module" || word.find_first_not_of("-m") == std::string::npos);
}

// Every word of the given line stands in the new one, in its order; torchrun's own switch apart.
bool keeps_all_words(LauncherKind kind, const std::vector<std::string>& given,
                     const std::vector<std::string>& made) {
  auto at = made.begin();
  for (const std::string& word : given) {
    if (is_module_switch(kind, word)) continue;
    const auto found = std::find(at, made.end(), word);
    if (found == made.end()) return false;
    at = found + 1;
  }
  return true;
}

// What stands behind the last wrapper is the end of what was given.
bool ends_alike(const std::vector<std::string>& given, const std::vector<std::string>& made) {
  const auto wrapper = std::find(made.rbegin(), made.rend(), "@wrapper").base();
  auto program = std::find(wrapper, made.end(), "--") + 1;
  if (*program == "python3") program += *(program + 2) == "-m" && *(program + 1) == "-u" ? 3 : 2;
  const auto length = made.end() - program;
  return length > 0 && length < static_cast<std::ptrdiff_t>(given.size()) &&
         std::equal(program, made.end(), given.end() - length);
}

TEST(LaunchRandom, KeepsEveryWordOrRefuses) {
  std::mt19937 random(20240229);
  std::size_t accepted[std::size(kinds)] = {};
  for (int round = 0; round < 60000; ++round) {
    const std::size_t which = random() % std::size(kinds);
    const std::vector<std::string> line = random_line(random);
    const LaunchOptions options = random_options(random);
    try {
      const Launch launch = wrap_launch(line, kinds[which], options);
      ++accepted[which];
      ASSERT_TRUE(keeps_all_words(kinds[which], line, launch.argv)) << shell_line(line) << "\n"
                                                                    << shell_line(launch.argv);
      ASSERT_TRUE(ends_alike(line, launch.argv)) << shell_line(line) << "\n"
                                                 << shell_line(launch.argv);
    } catch (const UsageError&) {
    }
  }
  for (std::size_t i = 0; i < std::size(kinds); ++i) EXPECT_GT(accepted[i], 100u) << i;
}

TEST(LaunchRandom, ProbesHoldNothingOfThePrograms) {
  std::mt19937 random(7);
  std::size_t accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::string> line = random_line(random);
    line.insert(line.end(), {"@program", "@argument"});
    const LauncherKind kind = kinds[random() % std::size(kinds)];
    ranks_on_this_host_only(line, kind, {});
    try {
      const std::vector<std::string> made = probe_launch(line, kind, {"@probe"}).argv;
      ++accepted;
      ASSERT_EQ(made.back(), "@probe") << shell_line(line);
      ASSERT_EQ(std::count(made.begin(), made.end(), "@argument"), 0) << shell_line(line);
    } catch (const UsageError&) {
    }
  }
  EXPECT_GT(accepted, 1000u);
}

}  // namespace
}  // namespace rankmap
