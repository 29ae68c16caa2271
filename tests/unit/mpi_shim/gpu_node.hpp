// A node made of files, and the GPU part of the shim's core run on it in a child process.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/unit/mpi_shim/placed_child.hpp"

namespace rankmap::testing {

// The parts of a map's line and of the launcher that GPU visibility looks at.
struct GpuPlan {
  int gpu = 0;
  std::string id = {};
  std::string node_gpus = {};
  std::string flags = {};
  int local_rank = 0;
  bool by_local_rank = false;
};

// What a child found after rankmap_place_gpu: the values of variables ("-" where unset) by their name,
// and "doubt", "note", "mode", "device", "planned", "variable".
using GpuOutcome = std::map<std::string, std::string>;

class GpuNode : public ::testing::Test {
 protected:
  // One GPU of the driver's /proc folder. minor -1: the driver does not tell it.
  void information(const std::string& bus_id, const std::string& uuid, int minor,
                   const std::string& model = "Test 100", const std::string& more = "") const;
  // The same with its node in /dev.
  void nvidia(const std::string& bus_id, const std::string& uuid, int minor,
              const std::string& model = "Test 100") const;
  // Four GPUs GPU-aaaa..., GPU-bbbb..., GPU-cccc..., GPU-dddd..., at 07, 0a, 47, 4e; minors 3, 2, 1, 0.
  void four_nvidia() const;
  // Node N of the kernel's topology, with a node in /dev/dri.
  void amd(int number, const std::string& properties, int minor) const;
  // Two CPUs and four GPUs of unique_id 0xa0 ... 0xa3, at c1, c6, c9, ce.
  void four_amd() const;
  // A card at a bus id with its node in /dev/dri; as the xe driver shows it, tiles >= 1.
  void intel(const std::string& bus_id, int minor, int tiles,
             const std::string& model = "0x0bd5") const;

  void node(const std::string& path) const { folder_.write(path, ""); }
  void remove(const std::string& path) const;

  // before: run in the child ahead of the placement.
  GpuOutcome place(const GpuPlan& plan, Environment environment = {},
                   void (*before)(const std::string& root) = nullptr) const;

  const std::string& root() const { return folder_.path(); }

  Folder folder_;
};

}  // namespace rankmap::testing
