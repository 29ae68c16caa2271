#include "tests/unit/mpi_shim/gpu_node.hpp"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "libmap/base/files.hpp"
extern "C" {
#include "mpi_shim/placement.h"
}

namespace rankmap::testing {
namespace {

constexpr const char* watched[] = {"CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER",
                                   "ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES",
                                   "ZE_AFFINITY_MASK",     "ZE_ENABLE_PCI_ID_DEVICE_ORDER"};

std::string run(const GpuPlan& plan) {
  rankmap_placement placement;
  memset(&placement, 0, sizeof placement);
  placement.settings = rankmap_settings_from_environment();
  placement.identity.local_rank = plan.local_rank;
  placement.identity.by_local_rank = plan.by_local_rank ? 1 : 0;
  placement.row = {0,  plan.gpu, "*", plan.id.c_str(),   plan.node_gpus.c_str(),
                   "", "",       "",  plan.flags.c_str()};
  rankmap_place_gpu(&placement);
  std::string text;
  for (const char* name : watched)
    text += std::string(name) + " " + (getenv(name) == nullptr ? "-" : getenv(name)) + "\n";
  text += std::string("doubt ") + placement.doubt + "\nnote " + placement.note + "\nmode " +
          placement.gpu_mode + "\ndevice " + placement.gpu_device + "\nplanned " +
          placement.gpu_planned + "\nvariable " + placement.gpu_variable + "\n";
  return text;
}

[[noreturn]] void run_child(int out, const GpuPlan& plan, const Environment& environment,
                            const std::string& root, void (*before)(const std::string& root)) {
  clearenv();
  setenv("RANKMAP_SYSROOT", root.c_str(), 1);
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  if (before != nullptr) before(root);
  const std::string text = run(plan);
  _exit(write(out, text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 1);
}

std::string read_all(int in) {
  std::string text;
  char buffer[4096];
  for (ssize_t got = 0; (got = read(in, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  return text;
}

}  // namespace

void GpuNode::information(const std::string& bus_id, const std::string& uuid, int minor,
                          const std::string& model, const std::string& more) const {
  folder_.write("proc/driver/nvidia/gpus/" + bus_id + "/information",
                "Model: \t\t " + model + "\nIRQ:   \t\t 1\nGPU UUID: \t " + uuid +
                    "\nBus Type: \t PCIe\nBus Location: \t " + bus_id + "\n" +
                    (minor < 0 ? "" : "Device Minor: \t " + std::to_string(minor) + "\n") + more);
}

void GpuNode::nvidia(const std::string& bus_id, const std::string& uuid, int minor,
                     const std::string& model) const {
  information(bus_id, uuid, minor, model);
  node("dev/nvidia" + std::to_string(minor));
}

void GpuNode::four_nvidia() const {
  node("dev/nvidiactl");
  nvidia("0000:47:00.0", "GPU-cccc3333-0000", 1);
  nvidia("0000:07:00.0", "GPU-aaaa1111-0000", 3);
  nvidia("0000:4e:00.0", "GPU-dddd4444-0000", 0);
  nvidia("0000:0a:00.0", "GPU-bbbb2222-0000", 2);
}

void GpuNode::amd(int number, const std::string& properties, int minor) const {
  folder_.write("sys/class/kfd/kfd/topology/nodes/" + std::to_string(number) + "/properties",
                properties);
  if (minor > 0) node("dev/dri/renderD" + std::to_string(minor));
}

void GpuNode::four_amd() const {
  const int buses[] = {0xc1, 0xc6, 0xc9, 0xce};
  for (const int cpu : {0, 1}) amd(cpu, "cpu_cores_count 64\nsimd_count 0\n", 0);
  for (int i = 0; i < 4; ++i)
    amd(2 + i,
        "cpu_cores_count 0\nsimd_count 440\nlocation_id " + std::to_string(buses[i] << 8) +
            "\ndomain 0\ndrm_render_minor " + std::to_string(128 + i) + "\nunique_id " +
            std::to_string(0xa0 + i) + "\n",
        128 + i);
}

void GpuNode::intel(const std::string& bus_id, int minor, int tiles,
                    const std::string& model) const {
  const std::string device = "sys/devices/" + bus_id;
  const std::string name = "renderD" + std::to_string(minor);
  folder_.write(device + "/vendor", "0x8086\n");
  folder_.write(device + "/class", "0x038000\n");
  folder_.write(device + "/device", model + "\n");
  for (int tile = 0; tile < tiles; ++tile) node(device + "/tile" + std::to_string(tile) + "/id");
  std::filesystem::create_directories(root() + "/sys/class/drm/" + name);
  std::filesystem::create_directory_symlink("../../../devices/" + bus_id,
                                            root() + "/sys/class/drm/" + name + "/device");
  node("dev/dri/" + name);
}

void GpuNode::remove(const std::string& path) const {
  EXPECT_GT(std::filesystem::remove_all(root() + "/" + path), 0U) << path;
}

GpuOutcome GpuNode::place(const GpuPlan& plan, Environment environment,
                          void (*before)(const std::string& root)) const {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) run_child(ends[1], plan, environment, root(), before);
  close(ends[1]);
  const std::string text = read_all(ends[0]);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "the child failed: " << status;
  GpuOutcome outcome;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at), blank = text.find(' ', at);
    outcome[text.substr(at, blank - at)] = text.substr(blank + 1, end - blank - 1);
    at = end + 1;
  }
  return outcome;
}

}  // namespace rankmap::testing
