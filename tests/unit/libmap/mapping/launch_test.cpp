#include "libmap/mapping/launch.hpp"

#include <gtest/gtest.h>

#include "libmap/base/text.hpp"

namespace rankmap {
namespace {

std::vector<std::string> words(std::string_view line) {
  std::vector<std::string> result;
  for (const std::string_view word : split_words(line)) result.emplace_back(word);
  return result;
}

LaunchOptions options() {
  LaunchOptions result;
  result.wrapper = "rankmap-exec";
  result.map_path = "m";
  return result;
}

std::string wrapped(std::string_view line, LauncherKind kind = LauncherKind::openmpi) {
  return join(wrap_launch(words(line), kind, options()).argv, " ");
}

TEST(WrapLaunch, PutsTheWrapperBeforeTheProgram) {
  EXPECT_EQ(wrapped("mpirun -np 4 ./app -np 9"),
            "mpirun --bind-to none -np 4 rankmap-exec --map m -- ./app -np 9");
  EXPECT_EQ(wrapped("mpirun ./app"), "mpirun --bind-to none rankmap-exec --map m -- ./app");
}

TEST(WrapLaunch, PassesOverTheArgumentsOfOptions) {
  EXPECT_EQ(wrapped("mpirun --mca btl tcp -x A=b --host n0:2 -oversubscribe --np 2 ./app"),
            "mpirun --bind-to none --mca btl tcp -x A=b --host n0:2 -oversubscribe --np 2 "
            "rankmap-exec --map m -- ./app");
  EXPECT_EQ(wrapped("mpiexec -genv A b -ppn 2 -l -n 2 ./app", LauncherKind::hydra),
            "mpiexec -bind-to none -genv A b -ppn 2 -l -n 2 rankmap-exec --map m -- ./app");
}

TEST(WrapLaunch, WrapsEveryApplicationContext) {
  EXPECT_EQ(
      wrapped("mpirun -np 1 ./a x : -np 2 ./b"),
      "mpirun --bind-to none -np 1 rankmap-exec --map m -- ./a x : -np 2 rankmap-exec --map m "
      "-- ./b");
}

TEST(WrapLaunch, LeavesTheUsersBindingAlone) {
  for (const char* line : {"mpirun --bind-to core ./app", "mpirun -rf f ./app",
                           "mpirun --map-by slot:PE=2 ./app", "mpirun --cpu-set 0,1 ./app"})
    EXPECT_EQ(wrapped(line).find("none"), std::string::npos) << line;
  EXPECT_NE(wrapped("mpirun --map-by node ./app").find("--bind-to none"), std::string::npos);
  EXPECT_EQ(wrapped("mpiexec -bind-to user:0 ./app", LauncherKind::hydra).find("none"),
            std::string::npos);
}

TEST(WrapLaunch, SetsVariablesAsTheLauncherWantsThem) {
  LaunchOptions with = options();
  with.variables = {{"RANKMAP_STRICT", "1"}};
  EXPECT_EQ(join(wrap_launch(words("mpirun ./app"), LauncherKind::openmpi, with).argv, " "),
            "mpirun -x RANKMAP_STRICT=1 --bind-to none rankmap-exec --map m -- ./app");
  EXPECT_EQ(join(wrap_launch(words("mpiexec ./app"), LauncherKind::hydra, with).argv, " "),
            "mpiexec -genv RANKMAP_STRICT 1 -bind-to none rankmap-exec --map m -- ./app");
}

TEST(WrapLaunch, PassesTheReportDirectory) {
  LaunchOptions with = options();
  with.report_directory = "/tmp/r";
  EXPECT_EQ(join(wrap_launch(words("mpirun ./app"), LauncherKind::openmpi, with).argv, " "),
            "mpirun --bind-to none rankmap-exec --map m --report /tmp/r -- ./app");
}

TEST(WrapLaunch, GivesARankfileUnlessTheUserMaps) {
  LaunchOptions with = options();
  with.rankfile = "f";
  EXPECT_EQ(join(wrap_launch(words("mpirun ./app"), LauncherKind::openmpi, with).argv, " "),
            "mpirun -rf f rankmap-exec --map m -- ./app");
  EXPECT_EQ(
      join(wrap_launch(words("mpirun --map-by node ./app"), LauncherKind::openmpi, with).argv, " "),
      "mpirun --bind-to none --map-by node rankmap-exec --map m -- ./app");
}

std::string refusal(std::string_view line, LauncherKind kind = LauncherKind::openmpi) {
  try {
    wrap_launch(words(line), kind, options());
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

TEST(WrapLaunch, SaysWhereToPutTheWrapperWhenItIsNotCertain) {
  EXPECT_EQ(
      refusal("mpirun --shiny 3 ./app"),
      "the option \"--shiny\" of mpirun is not known, so it is not certain where the program "
      "begins; put the wrapper before the program yourself: rankmap-exec --map m -- PROGRAM ...");
}

TEST(WrapLaunch, RefusesALineWithoutProgram) {
  for (const char* line : {"mpirun", "mpirun -np 4", "mpirun -np", "mpirun --mca a",
                           "mpirun ./a :", "mpirun : ./a", "mpirun --app file"})
    EXPECT_NE(refusal(line).find("put the wrapper"), std::string::npos) << line;
  EXPECT_NE(refusal("mpiexec -configfile f", LauncherKind::hydra).find("stands in a file"),
            std::string::npos);
}

TEST(RecogniseLauncher, KnowsNamesByTheirBasename) {
  for (const char* name : {"mpirun", "/usr/bin/mpiexec.hydra", "mpirun.openmpi", "prterun", "srun",
                           "/opt/flux", "jsrun", "torchrun"})
    EXPECT_TRUE(is_launcher_name(name)) << name;
  for (const char* name : {"mpirunner", "srunx", "", "/mpirun/app"})
    EXPECT_FALSE(is_launcher_name(name)) << name;
}

TEST(RecogniseLauncher, ReadsWhatALauncherSaysAboutItself) {
  EXPECT_EQ(launcher_of_version("mpirun.openmpi (OpenRTE) 4.1.4\n\nReport bugs")->kind,
            LauncherKind::openmpi);
  EXPECT_EQ(launcher_of_version("mpirun (Open MPI) 5.0.3\n")->kind, LauncherKind::prrte);
  EXPECT_EQ(launcher_of_version("prterun (PRRTE) 3.0.6\n")->kind, LauncherKind::prrte);
  EXPECT_EQ(launcher_of_version("HYDRA build details:\n Version: 4.0.2\n")->kind,
            LauncherKind::hydra);
  EXPECT_EQ(launcher_of_version("mpirun (Open MPI) 4.1.4\nReport")->version,
            "mpirun (Open MPI) 4.1.4");
  EXPECT_EQ(launcher_of_version("Intel(R) MPI Library for Linux* OS, Version 2021.9 Build")->kind,
            LauncherKind::intel);
  EXPECT_EQ(launcher_of_version("PALS mpiexec version 1.2.12")->kind, LauncherKind::pals);
  EXPECT_FALSE(launcher_of_version("slurm 22.05.8"));
  EXPECT_FALSE(launcher_of_version(""));
}

TEST(RecogniseLauncher, SaysWhenTheProgramIsMissing) {
  EXPECT_THROW(recognise_launcher("/nonexistent/mpirun"), NotAvailable);
  EXPECT_FALSE(recognise_launcher("/bin/true"));
}

TEST(RecogniseLauncher, DoesNotAskWhereTheNameTells) {
  EXPECT_EQ(recognise_launcher("/nonexistent/srun")->kind, LauncherKind::srun);
  EXPECT_EQ(recognise_launcher("flux")->kind, LauncherKind::flux);
  EXPECT_EQ(recognise_launcher("jsrun")->kind, LauncherKind::jsrun);
  EXPECT_EQ(recognise_launcher("torchrun")->kind, LauncherKind::torchrun);
}

TEST(CurrentEnvironment, HoldsWhatGetenvSees) {
  setenv("RANKMAP_TEST_VARIABLE", "a=b", 1);
  EXPECT_EQ(current_environment().at("RANKMAP_TEST_VARIABLE"), "a=b");
  unsetenv("RANKMAP_TEST_VARIABLE");
  EXPECT_EQ(current_environment().count("RANKMAP_TEST_VARIABLE"), 0u);
}

TEST(RecogniseLauncher, AsksTheLaunchersOfThisMachine) {
  try {
    EXPECT_EQ(recognise_launcher("mpirun.openmpi")->kind, LauncherKind::openmpi);
    EXPECT_EQ(recognise_launcher("mpiexec.mpich")->kind, LauncherKind::hydra);
  } catch (const NotAvailable& missing) {
    GTEST_SKIP() << missing.what();
  }
}

TEST(ShellLine, QuotesWhatAShellWouldChange) {
  EXPECT_EQ(shell_line({"a", "b c", "", "it's", "$x", "A=1"}), "a 'b c' '' 'it'\\''s' '$x' A=1");
}

}  // namespace
}  // namespace rankmap
