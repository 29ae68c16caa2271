#include "libmap/mapping/container.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

#include "libmap/base/text.hpp"

namespace rankmap {
namespace {

LaunchOptions options() {
  LaunchOptions result;
  result.wrapper = "/r/exec";
  result.map_path = "/j/map";
  result.report_directory = "/j/reports";
  return result;
}

LaunchOptions with_shim() {
  LaunchOptions result = options();
  result.preload = {"/r/shim.so"};
  return result;
}

std::string value_of(const ContainerPlan& plan, std::string_view name) {
  for (const auto& [found, value] : plan.variables)
    if (found == name) return value;
  return "(unset)";
}

TEST(ContainerNames, AreKnown) {
  EXPECT_EQ(container_of_name("apptainer"), ContainerKind::apptainer);
  EXPECT_EQ(container_of_name("singularity"), ContainerKind::apptainer);
  EXPECT_EQ(container_of_name("pyxis"), ContainerKind::pyxis);
  EXPECT_EQ(container_of_name("docker"), ContainerKind::docker);
  EXPECT_THROW(container_of_name("podman"), UsageError);
}

TEST(Apptainer, BindsByVariables) {
  const ContainerPlan plan =
      plan_container(ContainerKind::apptainer, LauncherKind::openmpi, options());
  const std::string binds = "/r/exec:/r/exec:ro,/j/map:/j/map:ro,/j/reports:/j/reports";
  EXPECT_EQ(value_of(plan, "APPTAINER_BIND"), binds);
  EXPECT_EQ(value_of(plan, "SINGULARITY_BIND"), binds);
  EXPECT_EQ(value_of(plan, "APPTAINERENV_LD_PRELOAD"), "(unset)");
  EXPECT_TRUE(plan.launcher_words.empty());
}

TEST(Apptainer, KeepsWhatWasBoundBefore) {
  LaunchOptions given = options();
  given.report_directory.clear();
  given.map_path.clear();
  given.inherited = {{"SINGULARITY_BIND", "/data"}};
  const ContainerPlan plan = plan_container(ContainerKind::apptainer, LauncherKind::srun, given);
  // APPTAINER_BIND would hide SINGULARITY_BIND, so it carries that on.
  EXPECT_EQ(value_of(plan, "APPTAINER_BIND"), "/data,/r/exec:/r/exec:ro");
  EXPECT_EQ(value_of(plan, "SINGULARITY_BIND"), "/data,/r/exec:/r/exec:ro");
}

TEST(Apptainer, LoadsTheShimInside) {
  LaunchOptions given = with_shim();
  given.inherited = {{"APPTAINERENV_LD_PRELOAD", "/x.so"}, {"LD_PRELOAD", "/host.so"}};
  const ContainerPlan plan = plan_container(ContainerKind::apptainer, LauncherKind::hydra, given);
  EXPECT_EQ(value_of(plan, "APPTAINERENV_LD_PRELOAD"), "/r/shim.so:/x.so");
  EXPECT_EQ(value_of(plan, "SINGULARITYENV_LD_PRELOAD"), "/r/shim.so:/x.so");
  EXPECT_EQ(value_of(plan, "APPTAINER_BIND"),
            "/r/shim.so:/r/shim.so:ro,/j/map:/j/map:ro,/j/reports:/j/reports");
}

TEST(Pyxis, MountsBySrunsOption) {
  const ContainerPlan plan = plan_container(ContainerKind::pyxis, LauncherKind::srun, options());
  EXPECT_EQ(join(plan.launcher_words, " "),
            "--container-mounts=/r/exec:/r/exec:ro,/j/map:/j/map:ro,/j/reports:/j/reports");
  EXPECT_TRUE(plan.variables.empty());
}

TEST(Pyxis, CarriesOnTheVariableThatTheOptionHides) {
  LaunchOptions given = with_shim();
  given.inherited = {{"PYXIS_CONTAINER_MOUNTS", "/data:/data"}};
  given.report_directory.clear();
  EXPECT_EQ(plan_container(ContainerKind::pyxis, LauncherKind::srun, given).launcher_words.front(),
            "--container-mounts=/data:/data,/r/shim.so:/r/shim.so:ro,/j/map:/j/map:ro");
}

TEST(Pyxis, NeedsSrun) {
  EXPECT_THROW(plan_container(ContainerKind::pyxis, LauncherKind::openmpi, options()), UsageError);
}

TEST(Docker, PrintsALine) {
  const ContainerPlan plan =
      plan_container(ContainerKind::docker, LauncherKind::openmpi, options());
  ASSERT_EQ(plan.printed.size(), 1u);
  const std::string& line = plan.printed.front();
  EXPECT_EQ(line.find("docker run --rm --cap-add SYS_NICE -v /r/exec:/r/exec:ro -v "
                      "/j/map:/j/map:ro -v /j/reports:/j/reports -e OMPI_COMM_WORLD_RANK "),
            0u)
      << line;
  EXPECT_NE(line.find("--entrypoint /r/exec IMAGE --map /j/map --report /j/reports -- PROGRAM ..."),
            std::string::npos)
      << line;
  for (const std::string_view name : rank_variables())
    EXPECT_NE(line.find(" -e " + std::string(name) + " "), std::string::npos) << name;
  EXPECT_TRUE(plan.variables.empty());
  EXPECT_TRUE(plan.launcher_words.empty());
}

TEST(Docker, LoadsTheShimWithoutTheHostsLibraries) {
  LaunchOptions given = with_shim();
  given.inherited = {{"LD_PRELOAD", "/host.so"}};
  const std::string line =
      plan_container(ContainerKind::docker, LauncherKind::openmpi, given).printed.front();
  EXPECT_NE(line.find("-e LD_PRELOAD=/r/shim.so -e RANKMAP_MAP=/j/map"), std::string::npos) << line;
  EXPECT_EQ(line.find("/host.so"), std::string::npos) << line;
  EXPECT_EQ(line.find("-e RANKMAP_MAP "), std::string::npos) << line;
  EXPECT_NE(line.find(" IMAGE PROGRAM ..."), std::string::npos) << line;
}

TEST(Containers, RefusePathsThatDivideMounts) {
  for (const char* path : {"/a:b", "/a,b", "relative/map"}) {
    LaunchOptions given = options();
    given.map_path = path;
    for (const ContainerKind kind :
         {ContainerKind::apptainer, ContainerKind::pyxis, ContainerKind::docker}) {
      EXPECT_THROW(plan_container(kind, LauncherKind::srun, given), UsageError) << path;
      LaunchOptions reports = options();
      reports.report_directory = path;
      EXPECT_THROW(plan_container(kind, LauncherKind::srun, reports), UsageError) << path;
    }
  }
}

TEST(Containers, RefuseAnEmptyWrapper) {
  EXPECT_THROW(plan_container(ContainerKind::apptainer, LauncherKind::srun, LaunchOptions()),
               UsageError);
}

TEST(RankVariables, AreThoseOfTheWrappersTable) {
  std::ifstream file(std::string(RANKMAP_SOURCE_DIR) + "/mpi_shim/identity.c");
  std::stringstream text;
  text << file.rdbuf();
  const std::string source = text.str();
  const std::vector<std::string_view> known = rank_variables();
  // A launcher's name has no underscore, all variables but one have.
  const std::regex name("\"([A-Z][A-Za-z0-9]*_[A-Za-z0-9_]*[A-Za-z0-9]|RANK)\"");
  std::size_t found = 0;
  for (auto at = std::sregex_iterator(source.begin(), source.end(), name);
       at != std::sregex_iterator(); ++at, ++found) {
    const std::string variable = (*at)[1];
    EXPECT_NE(std::find(known.begin(), known.end(), variable), known.end()) << variable;
  }
  EXPECT_GT(found, 20u);
}

}  // namespace
}  // namespace rankmap
