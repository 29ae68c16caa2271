// How settings, variables and preloaded libraries reach the ranks under each launcher.
#include <gtest/gtest.h>

#include "launch_lines.hpp"

namespace rankmap {
namespace {

using enum LauncherKind;

LaunchOptions with_variable() {
  LaunchOptions options = short_options();
  options.variables = {{"A", "b c$d"}};
  return options;
}

std::string environment_line(const Launch& launch) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : launch.environment) parts.push_back(name + "=" + value);
  return join(parts, ";");
}

TEST(WrapperWords, SayAllThatTheWrapperIsTold) {
  LaunchOptions options;
  options.wrapper = "W";
  options.map_path = "m";
  options.report_directory = "r";
  options.sum = "0123456789abcdef";
  options.gpus = "aligned";
  options.nics = "nccl";
  options.stage = options.openmp = options.verbose = true;
  EXPECT_EQ(join(wrapper_words(options), " "),
            "W --map m --report r --sum 0123456789abcdef --gpus aligned --nics nccl --stage "
            "--openmp --verbose --");
}

TEST(LaunchVariables, GoToEveryContextOfOpenMpi) {
  // Measured with 4.1.4: -x reaches the ranks of its own context only.
  EXPECT_EQ(wrapped_line(openmpi, "mpirun -n 1 ./a : -n 1 ./b", with_variable()),
            "mpirun -x A=b c$d --bind-to none -n 1 W -- ./a : -x A=b c$d -n 1 W -- ./b");
  EXPECT_EQ(wrapped_line(prrte, "mpirun ./a : ./b", with_variable()),
            "mpirun -x A=b c$d --bind-to none W -- ./a : -x A=b c$d W -- ./b");
  EXPECT_EQ(wrapped_line(hydra, "mpiexec -n 1 ./a : -n 1 ./b", with_variable()),
            "mpiexec -genv A b c$d -bind-to none -n 1 W -- ./a : -n 1 W -- ./b");
  EXPECT_EQ(wrapped_line(intel, "mpirun ./a", with_variable()),
            "mpirun -genv A b c$d -genv I_MPI_PIN 0 W -- ./a");
}

TEST(LaunchVariables, GoIntoTheEnvironmentWhereTheLauncherPassesIt) {
  struct Row {
    LauncherKind kind;
    const char* line;
  };
  for (const Row& row : std::vector<Row>{{srun, "srun ./a"},
                                         {srun, "srun --export=ALL,B=1 ./a"},
                                         {flux, "flux run ./a"},
                                         {jsrun, "jsrun ./a"},
                                         {pals, "mpiexec ./a"},
                                         {torchrun, "torchrun --no-python ./a"}}) {
    const Launch launch = wrap_launch(words(row.line), row.kind, with_variable());
    EXPECT_EQ(environment_line(launch), "A=b c$d") << row.line;
    EXPECT_EQ(join(launch.argv, " "), wrapped_line(row.kind, row.line)) << row.line;
  }
}

TEST(LaunchVariables, AreAddedToAnExportThatIsNotAll) {
  const std::string none = " --cpu-bind=none --gpu-bind=none";
  EXPECT_EQ(wrapped_line(srun, "srun --export=NONE ./a", with_variable()),
            "srun --export=NONE --export=A" + none + " W -- ./a");
  EXPECT_EQ(wrapped_line(srun, "srun --export B,C=1 ./a", with_variable()),
            "srun --export B,C=1 --export=B,C=1,A" + none + " W -- ./a");
  LaunchOptions options = with_variable();
  options.inherited = {{"SLURM_EXPORT_ENV", "NONE"}};
  const Launch launch = wrap_launch(words("srun ./a"), srun, options);
  EXPECT_EQ(join(launch.argv, " "), "srun --export=A" + none + " W -- ./a");
  EXPECT_EQ(environment_line(launch), "A=b c$d");  // --export=A takes the value from there
  EXPECT_EQ(wrapped_line(srun, "srun --export=NONE ./a"),
            "srun --export=NONE" + none + " W -- ./a");
}

TEST(LaunchVariables, AreOptionsWhereTheEnvironmentIsFiltered) {
  EXPECT_EQ(
      wrapped_line(flux, "flux run --env-remove=* ./a", with_variable()),
      "flux run -o cpu-affinity=off -o gpu-affinity=off --env-remove=* --env=A=b c$$d W -- ./a");
  EXPECT_EQ(wrapped_line(jsrun, "jsrun -D A ./a",
                         [] {
                           LaunchOptions options = short_options();
                           options.variables = {{"B", "1"}};
                           return options;
                         }()),
            "jsrun -b none -D A -E B=1 W -- ./a");
  EXPECT_EQ(wrapped_line(pals, "mpiexec --envnone ./a", with_variable()),
            "mpiexec --cpu-bind none --gpu-bind none --envnone --env A=b c$d W -- ./a");
}

TEST(LaunchVariables, ASecondValueIsRefused) {
  EXPECT_EQ(refusal(openmpi, "mpirun -x A=1 ./a", with_variable()),
            "the command line sets A as well");
  EXPECT_EQ(refusal(hydra, "mpiexec -genv A 1 ./a", with_variable()),
            "the command line sets A as well");
  EXPECT_EQ(refusal(srun, "srun --export=ALL,A=1 ./a", with_variable()),
            "the command line sets A as well");
}

LaunchOptions with_shim() {
  LaunchOptions options = short_options();
  options.preload = {"/l/shim.so", "/l/record.so"};
  options.map_path = "/m";
  options.gpus = "own";
  options.stage = true;
  return options;
}

TEST(Preload, PassesVariablesInsteadOfAWrapper) {
  EXPECT_EQ(wrapped_line(openmpi, "mpirun -n 2 ./a -x", with_shim()),
            "mpirun -x LD_PRELOAD=/l/shim.so:/l/record.so -x RANKMAP_MAP=/m -x RANKMAP_GPUS=own -x "
            "RANKMAP_STAGE=1 --bind-to none -n 2 ./a -x");
  const Launch launch = wrap_launch(words("srun -n2 ./a"), srun, with_shim());
  EXPECT_EQ(join(launch.argv, " "), "srun -n2 --cpu-bind=none --gpu-bind=none ./a");
  EXPECT_EQ(environment_line(launch),
            "LD_PRELOAD=/l/shim.so:/l/record.so;RANKMAP_MAP=/m;RANKMAP_GPUS=own;RANKMAP_STAGE=1");
  EXPECT_NE(notes_of(srun, "srun ./a", with_shim()).find("the shim binds each rank"),
            std::string::npos);
}

TEST(Preload, LeavesTorchrunsLineAlone) {
  EXPECT_EQ(wrapped_line(torchrun, "torchrun -m pkg x", with_shim()), "torchrun -m pkg x");
}

TEST(Preload, StandsBeforeWhatWasInherited) {
  LaunchOptions options = with_shim();
  options.inherited = {{"LD_PRELOAD", "/x.so /y.so"}};
  EXPECT_EQ(preload_variables(options).front().second, "/l/shim.so:/l/record.so:/x.so /y.so");
}

TEST(Preload, RefusesPathsThatWouldBeTakenApart) {
  for (const char* path : {"/a b/shim.so", "/a:b.so", ""}) {
    LaunchOptions options = short_options();
    options.preload = {path};
    EXPECT_THROW(preload_variables(options), UsageError) << path;
  }
}

TEST(Preload, AdvisesVariablesWhereTheLineIsNotCertain) {
  try {
    wrap_launch(words("mpirun --shiny ./a"), openmpi, with_shim());
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("set these for every rank yourself: LD_PRELOAD=/l/shim.so:/l/record.so "
                        "RANKMAP_MAP=/m"),
              std::string::npos)
        << error.what();
  }
  EXPECT_EQ(refusal(openmpi, "mpirun -x LD_PRELOAD=/mine.so ./a", with_shim()),
            "the command line sets LD_PRELOAD as well");
}

TEST(LauncherWords, StandBehindTheUsersOptions) {
  LaunchOptions options = short_options();
  options.launcher_words = {"--container-mounts=/m:/m:ro"};
  EXPECT_EQ(wrapped_line(srun, "srun -n1 ./a : -n1 ./b", options),
            "srun -n1 --cpu-bind=none --gpu-bind=none --container-mounts=/m:/m:ro W -- ./a : -n1 "
            "--cpu-bind=none --gpu-bind=none --container-mounts=/m:/m:ro W -- ./b");
}

}  // namespace
}  // namespace rankmap
