// The probe's command line, and whether a job stays on this host.
#include <gtest/gtest.h>

#include "launch_lines.hpp"

namespace rankmap {
namespace {

using enum LauncherKind;

std::string probe(LauncherKind kind, std::string_view line) {
  return join(probe_launch(words(line), kind, {"P", "--probe", "D"}).argv, " ");
}

TEST(ProbeLaunch, PutsTheProbeInPlaceOfEveryProgram) {
  EXPECT_EQ(probe(openmpi, "mpirun -np 1 ./a x : -np 2 ./b -n 3"),
            "mpirun --bind-to none -np 1 P --probe D : -np 2 P --probe D");
  EXPECT_EQ(probe(openmpi, "mpirun -np 2 -- ./a x"), "mpirun --bind-to none -np 2 P --probe D");
  EXPECT_EQ(probe(srun, "srun -n4 ./a"), "srun -n4 --cpu-bind=none --gpu-bind=none P --probe D");
  EXPECT_EQ(
      probe(srun, "srun -n1 : -n2 ./a"),
      "srun -n1 --cpu-bind=none --gpu-bind=none : -n2 --cpu-bind=none --gpu-bind=none P --probe D");
  EXPECT_EQ(probe(flux, "flux run -N2 ./a"),
            "flux run -o cpu-affinity=off -o gpu-affinity=off -N2 P --probe D");
  EXPECT_EQ(probe(jsrun, "jsrun -n2 ./a"), "jsrun -b none -n2 P --probe D");
}

TEST(ProbeLaunch, LeavesOutTheUsersBindings) {
  EXPECT_EQ(probe(openmpi, "mpirun --bind-to core -np 2 ./a"),
            "mpirun --bind-to none -np 2 P --probe D");
  EXPECT_EQ(probe(srun, "srun --cpu-bind=map_cpu:0 --gpu-bind closest ./a"),
            "srun --cpu-bind=none --gpu-bind=none P --probe D");
  // A rankfile says where ranks run: without it other nodes would answer.
  EXPECT_EQ(probe(openmpi, "mpirun -rf f ./a"), "mpirun -rf f P --probe D");
}

TEST(ProbeLaunch, RunsNoPythonUnderTorchrun) {
  EXPECT_EQ(probe(torchrun, "torchrun --nproc-per-node 4 -m pkg x"),
            "torchrun --nproc-per-node 4 --no-python P --probe D");
  EXPECT_EQ(probe(torchrun, "torchrun --no-python ./a"), "torchrun --no-python P --probe D");
}

TEST(ProbeLaunch, PassesVariablesAndLauncherWords) {
  LaunchOptions options;
  options.variables = {{"A", "1"}};
  options.launcher_words = {"--container-mounts=/p:/p:ro"};
  options.rankfile = "unused";
  const Launch launch = probe_launch(words("srun -n2 ./a"), srun, {"P"}, options);
  EXPECT_EQ(join(launch.argv, " "),
            "srun -n2 --cpu-bind=none --gpu-bind=none --container-mounts=/p:/p:ro P");
  EXPECT_EQ(launch.environment, (Variables{{"A", "1"}}));
}

TEST(ProbeLaunch, RefusesWhatIsNotCertain) {
  EXPECT_THROW(probe(openmpi, "mpirun --shiny ./a"), UsageError);
  EXPECT_THROW(probe(srun, "srun --multi-prog f"), UsageError);
}

std::optional<int> ranks(LauncherKind kind, std::string_view line,
                         const Environment& environment = {}) {
  return ranks_on_this_host_only(words(line), kind, environment);
}

TEST(RanksOnThisHostOnly, CountsWhereTheLineIsCertain) {
  EXPECT_EQ(ranks(openmpi, "mpirun -np 4 ./a"), 4);
  EXPECT_EQ(ranks(openmpi, "mpirun --oversubscribe --bind-to core -c 2 -x A=b ./a -np 9"), 2);
  EXPECT_EQ(ranks(hydra, "mpiexec -n 3 -l ./a"), 3);
  EXPECT_EQ(ranks(hydra, "mpiexec --np=3 ./a"), 3);
  EXPECT_EQ(ranks(intel, "mpirun -n 16 ./a"), 16);
}

TEST(RanksOnThisHostOnly, IsSilentInAnyDoubt) {
  struct Row {
    LauncherKind kind;
    const char* line;
  };
  for (const Row& row : std::vector<Row>{{openmpi, "mpirun ./a"},
                                         {openmpi, "mpirun -np 2 -np 3 ./a"},
                                         {openmpi, "mpirun -np 0 ./a"},
                                         {openmpi, "mpirun -np x ./a"},
                                         {openmpi, "mpirun -np 99999999999 ./a"},
                                         {openmpi, "mpirun -np 1 ./a : -np 1 ./b"},
                                         {openmpi, "mpirun -np 2 --host n0 ./a"},
                                         {openmpi, "mpirun -np 2 -H n0 ./a"},
                                         {openmpi, "mpirun -np 2 --hostfile f ./a"},
                                         {openmpi, "mpirun -np 2 -machinefile f ./a"},
                                         {openmpi, "mpirun -np 2 --mca btl tcp,self ./a"},
                                         {openmpi, "mpirun -np 2 -rf f ./a"},
                                         {openmpi, "mpirun -np 2 --map-by node ./a"},
                                         {openmpi, "mpirun -np 2 -N 1 ./a"},
                                         {openmpi, "mpirun -np 2 --shiny ./a"},
                                         {hydra, "mpiexec -n 2 -f hosts ./a"},
                                         {hydra, "mpiexec -n 2 -launcher ssh ./a"},
                                         {hydra, "mpiexec -n 2 -rmk pbs ./a"},
                                         {hydra, "mpiexec -n 2 -ppn 1 ./a"},
                                         {intel, "mpirun -n 2 -hosts-group n[0-1] ./a"},
                                         {prrte, "mpirun -n 2 ./a"},
                                         {srun, "srun -n2 ./a"},
                                         {pals, "mpiexec -n 2 ./a"}})
    EXPECT_FALSE(ranks(row.kind, row.line)) << row.line;
}

TEST(RanksOnThisHostOnly, IsSilentWithinAnAllocation) {
  for (const char* name :
       {"SLURM_JOB_ID", "SLURM_JOBID", "PBS_NODEFILE", "LSB_JOBID", "LSB_HOSTS", "PE_HOSTFILE",
        "FLUX_URI", "HYDRA_HOST_FILE", "HYDRA_LAUNCHER", "MPIEXEC_PREFIX", "I_MPI_HYDRA_HOST_FILE",
        "OMPI_MCA_orte_default_hostfile", "OMPI_MCA_plm_rsh_agent", "OMPI_MCA_ras_base_x",
        "OMPI_MCA_rmaps_base_mapping_policy", "OMPI_MCA_plm"})
    EXPECT_FALSE(ranks(openmpi, "mpirun -np 2 ./a", {{name, "1"}})) << name;
  for (const char* name : {"OMPI_MCA_rmaps_base_oversubscribe", "OMPI_MCA_btl", "HYDRA_DEBUG",
                           "OMPI_ALLOW_RUN_AS_ROOT", "PATH", "SLURM_CONF"})
    EXPECT_EQ(ranks(openmpi, "mpirun -np 2 ./a", {{name, "1"}}), 2) << name;
}

TEST(RanksAsked, AddsUpTheContexts) {
  EXPECT_EQ(ranks_asked(words("mpirun -np 4 ./app"), LauncherKind::openmpi), 4);
  EXPECT_EQ(ranks_asked(words("mpirun -np 4 ./a : -np 2 ./b"), LauncherKind::openmpi), 6);
  EXPECT_EQ(ranks_asked(words("srun -N2 -n8 ./app"), LauncherKind::srun), 8);
  EXPECT_EQ(ranks_asked(words("mpirun ./app"), LauncherKind::openmpi), std::nullopt);
  EXPECT_EQ(ranks_asked(words("mpirun -np 4 ./a : ./b"), LauncherKind::openmpi), std::nullopt);
  EXPECT_EQ(ranks_asked(words("mpirun -np x ./app"), LauncherKind::openmpi), std::nullopt);
}

TEST(UserBindsCpus, IsTrueForABindingThatTheLineAsksFor) {
  EXPECT_TRUE(user_binds_cpus(words("mpirun --bind-to core -np 2 ./app"), LauncherKind::openmpi));
  EXPECT_TRUE(user_binds_cpus(words("mpiexec -bind-to socket -n 2 ./app"), LauncherKind::hydra));
  EXPECT_TRUE(user_binds_cpus(words("srun --cpu-bind=cores -n2 ./app"), LauncherKind::srun));
  EXPECT_FALSE(user_binds_cpus(words("mpirun --bind-to none -np 2 ./app"), LauncherKind::openmpi));
  EXPECT_FALSE(user_binds_cpus(words("mpirun -np 2 ./app --bind-to core"), LauncherKind::openmpi));
  EXPECT_FALSE(user_binds_cpus(words("mpirun --no-such-option -np 2 x"), LauncherKind::openmpi));
}

}  // namespace
}  // namespace rankmap
