// Where the program begins in each launcher's command line, and what is done about bindings.
#include "launch_lines.hpp"

#include <gtest/gtest.h>

namespace rankmap {
namespace {

using enum LauncherKind;

struct Line {
  LauncherKind kind;
  const char* given;
  const char* expected;
};

void expect_lines(const std::vector<Line>& lines) {
  for (const Line& line : lines) EXPECT_EQ(wrapped_line(line.kind, line.given), line.expected);
}

TEST(LaunchLines, OpenMpi) {
  expect_lines({
      {openmpi, "mpirun -np 4 -- ./app -np 2", "mpirun --bind-to none -np 4 -- W -- ./app -np 2"},
      {openmpi, "mpirun -c 2 --mca btl self,vader ./app",
       "mpirun --bind-to none -c 2 --mca btl self,vader W -- ./app"},
      {openmpi, "mpirun --mca hwloc_base_binding_policy core ./app",
       "mpirun --mca hwloc_base_binding_policy core W -- ./app"},
      {openmpi, "mpirun --bind-to none ./app", "mpirun --bind-to none W -- ./app"},
      {openmpi, "mpirun --npersocket 2 ./app", "mpirun --npersocket 2 W -- ./app"},
  });
}

TEST(LaunchLines, Prrte) {
  expect_lines({
      {prrte, "prterun --map-by=node --np 2 -x A ./app",
       "prterun --bind-to none --map-by=node --np 2 -x A W -- ./app"},
      {prrte, "mpirun --map-by rankfile:file=f ./app",
       "mpirun --map-by rankfile:file=f W -- ./app"},
      {prrte, "mpirun --map-by ppr:2:node:pe=4 ./app",
       "mpirun --map-by ppr:2:node:pe=4 W -- ./app"},
      {prrte, "mpirun --prtemca hwloc_default_binding_policy core ./app",
       "mpirun --prtemca hwloc_default_binding_policy core W -- ./app"},
      {prrte, "mpirun --append-env P[:] v -n 1 ./a : -n 1 ./b",
       "mpirun --bind-to none --append-env P[:] v -n 1 W -- ./a : -n 1 W -- ./b"},
  });
}

TEST(LaunchLines, Hydra) {
  expect_lines({
      // -genv takes one word where that holds "=", else two.
      {hydra, "mpiexec -genv A=b ./app", "mpiexec -bind-to none -genv A=b W -- ./app"},
      {hydra, "mpiexec -env A b ./app", "mpiexec -bind-to none -env A b W -- ./app"},
      {hydra, "mpiexec -n=4 --ppn=2 ./app", "mpiexec -bind-to none -n=4 --ppn=2 W -- ./app"},
      {hydra, "mpiexec --n 2 ./a : -n 2 ./b",
       "mpiexec -bind-to none --n 2 W -- ./a : -n 2 W -- ./b"},
      {hydra, "mpiexec -bind-to=core ./app", "mpiexec -bind-to=core W -- ./app"},
  });
}

TEST(LaunchLines, IntelMpi) {
  expect_lines({
      {intel, "mpirun -n 4 -ppn 2 ./app", "mpirun -genv I_MPI_PIN 0 -n 4 -ppn 2 W -- ./app"},
      {intel, "mpirun -genv I_MPI_PIN_DOMAIN core ./app",
       "mpirun -genv I_MPI_PIN_DOMAIN core W -- ./app"},
      {intel, "mpirun -env I_MPI_PIN_DOMAIN=core ./app",
       "mpirun -env I_MPI_PIN_DOMAIN=core W -- ./app"},
      {intel, "mpirun -print-rank-map -hosts-group n[0-3] ./app",
       "mpirun -genv I_MPI_PIN 0 -print-rank-map -hosts-group n[0-3] W -- ./app"},
  });
}

TEST(LaunchLines, Srun) {
  const std::string none = " --cpu-bind=none --gpu-bind=none";
  for (const char* options :
       {"-n4", "-n 4", "--ntasks=4", "--ntasks 4", "-N 2 -n8 -c4", "-lvv", "-I", "-I30",
        "--immediate", "--nice=5", "--exclusive", "-K0 -k", "-w n0,n1 -t 10 --mpi=pmix",
        "--site-plugin=3", "-m block:cyclic", "--container-image=img --no-container-mount-home"})
    EXPECT_EQ(wrapped_line(srun, std::string("srun ") + options + " ./app -n 9"),
              std::string("srun ") + options + none + " W -- ./app -n 9");
  expect_lines({
      {srun, "srun ./app", "srun --cpu-bind=none --gpu-bind=none W -- ./app"},
      {srun, "srun -n2 -- ./app", "srun -n2 --cpu-bind=none --gpu-bind=none -- W -- ./app"},
      // A value that may be left out stands in the same word: here 30 is the program.
      {srun, "srun --immediate 30", "srun --immediate --cpu-bind=none --gpu-bind=none W -- 30"},
      {srun, "srun --cpu-bind=cores ./app", "srun --cpu-bind=cores --gpu-bind=none W -- ./app"},
      {srun, "srun --cpu_bind rank ./app", "srun --cpu_bind rank --gpu-bind=none W -- ./app"},
      {srun, "srun --cpu-bind=verbose ./app",
       "srun --cpu-bind=verbose --cpu-bind=none --gpu-bind=none W -- ./app"},
      {srun, "srun --cpu-bind=verbose,none --gpu-bind=none ./app",
       "srun --cpu-bind=verbose,none --gpu-bind=none W -- ./app"},
      {srun, "srun --hint=nomultithread ./app",
       "srun --hint=nomultithread --gpu-bind=none W -- ./app"},
      {srun, "srun --gpu-bind=closest ./app", "srun --gpu-bind=closest --cpu-bind=none W -- ./app"},
  });
}

TEST(LaunchLines, SrunHeterogeneousSteps) {
  expect_lines({
      {srun, "srun -n1 ./a x : -n2 ./b",
       "srun -n1 --cpu-bind=none --gpu-bind=none W -- ./a x : -n2 --cpu-bind=none --gpu-bind=none "
       "W -- ./b"},
      // One program for both components.
      {srun, "srun -n1 : -n2 ./b",
       "srun -n1 --cpu-bind=none --gpu-bind=none : -n2 --cpu-bind=none --gpu-bind=none W -- ./b"},
  });
}

TEST(LaunchLines, Flux) {
  expect_lines({
      {flux, "flux run -N2 -n8 -g 1 ./app -n 3",
       "flux run -o cpu-affinity=off -o gpu-affinity=off -N2 -n8 -g 1 W -- ./app -n 3"},
      {flux, "flux run -ocpu-affinity=per-task ./app",
       "flux run -o gpu-affinity=off -ocpu-affinity=per-task W -- ./app"},
      {flux, "flux run --setopt=mpibind=on ./app", "flux run --setopt=mpibind=on W -- ./app"},
      {flux, "flux run -o pmi=simple -x ./a : b",
       "flux run -o cpu-affinity=off -o gpu-affinity=off -o pmi=simple -x W -- ./a : b"},
  });
}

TEST(LaunchLines, Jsrun) {
  expect_lines({
      {jsrun, "jsrun -n4 -a1 -c 7 -g1 ./app", "jsrun -b none -n4 -a1 -c 7 -g1 W -- ./app"},
      {jsrun, "jsrun --nrs 4 --tasks_per_rs=1 ./app",
       "jsrun -b none --nrs 4 --tasks_per_rs=1 W -- ./app"},
      {jsrun, "jsrun -n 4 -b packed:7 -d packed ./app",
       "jsrun -n 4 -b packed:7 -d packed W -- ./app"},
      {jsrun, "jsrun --bind=none ./app", "jsrun --bind=none W -- ./app"},
      {jsrun, "jsrun --erf_input f ./app", "jsrun --erf_input f W -- ./app"},
      {jsrun, "jsrun -M -gpu -n1 ./app", "jsrun -b none -M -gpu -n1 W -- ./app"},
  });
}

TEST(LaunchLines, Pals) {
  expect_lines({
      {pals, "mpiexec -n 8 --ppn 4 --depth=8 ./app",
       "mpiexec --cpu-bind none --gpu-bind none -n 8 --ppn 4 --depth=8 W -- ./app"},
      {pals, "mpiexec -np 2 --cpu-bind depth -d 8 ./app",
       "mpiexec --gpu-bind none -np 2 --cpu-bind depth -d 8 W -- ./app"},
      {pals, "mpiexec -env OMP_NUM_THREADS=4 --no-transfer ./a : -n 1 ./b",
       "mpiexec --cpu-bind none --gpu-bind none -env OMP_NUM_THREADS=4 --no-transfer W -- ./a : -n "
       "1 W -- ./b"},
  });
}

TEST(LaunchLines, Torchrun) {
  expect_lines({
      {torchrun, "torchrun --nproc-per-node=4 train.py --lr 1",
       "torchrun --nproc-per-node=4 --no-python W -- python3 -u train.py --lr 1"},
      {torchrun, "torchrun --nproc_per_node 4 --standalone train.py",
       "torchrun --nproc_per_node 4 --standalone --no-python W -- python3 -u train.py"},
      {torchrun, "torchrun -r3 -t 3 -m pkg.train -m x",
       "torchrun -r3 -t 3 --no-python W -- python3 -u -m pkg.train -m x"},
      {torchrun, "torchrun --module pkg.train",
       "torchrun --no-python W -- python3 -u -m pkg.train"},
      {torchrun, "torchrun --no_python ./app : x", "torchrun --no_python W -- ./app : x"},
  });
}

TEST(LaunchLines, TorchrunStartsThePythonItWasToldTo) {
  LaunchOptions options = short_options();
  options.inherited = {{"PYTHON_EXEC", "/v/python"}};
  EXPECT_EQ(wrapped_line(torchrun, "torchrun a.py", options),
            "torchrun --no-python W -- /v/python -u a.py");
  options.inherited = {{"PET_NO_PYTHON", "1"}};
  EXPECT_EQ(wrapped_line(torchrun, "torchrun ./app", options), "torchrun W -- ./app");
}

TEST(LaunchLines, UnknownOptionsAreRefused) {
  for (const Line& line : std::vector<Line>{{openmpi, "mpirun --np=4 ./app", "--np=4"},
                                            {prrte, "mpirun --shiny ./app", "--shiny"},
                                            {hydra, "mpiexec -l=1 ./app", "-l=1"},
                                            {hydra, "mpiexec -n 1 -shiny ./app", "-shiny"},
                                            {intel, "mpirun -trace ./app", "-trace"},
                                            {intel, "mpirun -tune ./app", "-tune"},
                                            {srun, "srun --shiny ./app", "--shiny"},
                                            {srun, "srun --ntask=4 ./app", "--ntask=4"},
                                            {srun, "srun --ntas 4 ./app", "--ntas"},
                                            {srun, "srun -y ./app", "-y"},
                                            {srun, "srun -ln4 ./app", "-ln4"},
                                            {flux, "flux run --shiny 3 ./app", "--shiny"},
                                            {jsrun, "jsrun --shiny=3 ./app", "--shiny=3"},
                                            {jsrun, "jsrun -y ./app", "-y"},
                                            {pals, "mpiexec -n4 ./app", "-n4"},
                                            {torchrun, "torchrun --nproc 4 a.py", "--nproc"}})
    EXPECT_EQ(refusal(line.kind, line.given),
              "the option \"" + std::string(line.expected) + "\" of " + words(line.given).front() +
                  " is not known, so it is not certain where the program begins");
}

TEST(LaunchLines, RefusesWhereThePlaceOfTheProgramIsNotCertain) {
  for (const Line& line : std::vector<Line>{
           {srun, "srun --multi-prog f", "with \"--multi-prog\" the program stands in a file"},
           {jsrun, "jsrun -f apps", "with \"-f\" the program stands in a file"},
           {pals, "mpiexec --configfile f", "with \"--configfile\" the program stands in a file"},
           {srun, "srun -n4", "found no program in the command line of srun"},
           {srun, "srun ./a :", "found no program in the command line of srun"},
           {srun, "srun -n",
            "the option \"-n\" of srun has no value, so there is no program behind it"},
           {flux, "flux run -n4 -- ./a", "it is not certain what \"--\" means to flux"},
           {hydra, "mpiexec -n 4 -- ./a", "it is not certain what \"--\" means to mpiexec"},
           {torchrun, "torchrun -- a.py", "it is not certain what \"--\" means to torchrun"},
           {torchrun, "torchrun --run-path a.py",
            "with --run-path there is no program of its own to wrap"},
           {jsrun, "jsrun -n1 ./a : -n1 ./b", "it is not certain what \":\" means to jsrun"},
           {flux, "flux submit ./a",
            "found \"submit\" behind flux, expected \"run\", which starts the ranks and waits for "
            "them"},
           {flux, "flux",
            "found \"\" behind flux, expected \"run\", which starts the ranks and waits for them"},
           {pals, "mpiexec --env OMP_NUM_THREADS ./app",
            "found \"OMP_NUM_THREADS\" behind \"--env\", expected NAME=VALUE"},
       })
    EXPECT_EQ(refusal(line.kind, line.given), line.expected) << line.given;
}

TEST(LaunchNotes, SayWhatBindsInstead) {
  EXPECT_EQ(notes_of(openmpi, "mpirun ./app"), "added --bind-to none: the wrapper binds each rank");
  EXPECT_EQ(notes_of(openmpi, "mpirun --bind-to none ./app"), "");
  EXPECT_EQ(notes_of(srun, "srun ./app"),
            "added --cpu-bind=none: the wrapper binds each rank\nadded --gpu-bind=none: the "
            "wrapper gives each rank its GPUs");
  EXPECT_EQ(notes_of(openmpi, "mpirun --bind-to core ./app"),
            "the launcher binds as the command line asks; the plan applies inside that");
}

TEST(LaunchNotes, WarnOfIsolatedGpus) {
  const std::string warning = "peer access between GPUs may break";
  for (const char* line : {"srun --gpus-per-task=1 ./app", "srun --gpu-bind=closest ./app",
                           "srun --tres-per-task=gres/gpu:1 ./app"})
    EXPECT_NE(notes_of(srun, line).find(warning), std::string::npos) << line;
  for (const char* line :
       {"srun ./app", "srun --gpus-per-node=4 ./app", "srun --gpu-bind=none ./app"})
    EXPECT_EQ(notes_of(srun, line).find(warning), std::string::npos) << line;
  LaunchOptions options = short_options();
  options.inherited = {{"SLURM_GPUS_PER_TASK", "1"}};
  EXPECT_NE(notes_of(srun, "srun ./app", options).find(warning), std::string::npos);
}

TEST(LaunchNotes, TellOfBindingsInTheEnvironment) {
  LaunchOptions options = short_options();
  options.inherited = {{"SLURM_CPU_BIND", "cores"}, {"I_MPI_PIN_DOMAIN", "numa"}};
  EXPECT_NE(notes_of(srun, "srun ./app", options)
                .find("SLURM_CPU_BIND=cores in the environment asks for a binding; --cpu-bind=none "
                      "--gpu-bind=none stands over it"),
            std::string::npos);
  EXPECT_EQ(notes_of(srun, "srun ./app", options).find("I_MPI"), std::string::npos);
  EXPECT_NE(notes_of(intel, "mpirun ./app", options).find("I_MPI_PIN_DOMAIN=numa"),
            std::string::npos);
  options.inherited = {{"SLURM_CPU_BIND", "quiet,none"}};
  EXPECT_EQ(notes_of(srun, "srun ./app", options).find("SLURM_CPU_BIND"), std::string::npos);
}

}  // namespace
}  // namespace rankmap
