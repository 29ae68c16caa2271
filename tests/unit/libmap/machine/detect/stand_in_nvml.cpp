// A stand-in for NVIDIA's management library, by its binary interface only. RANKMAP_STAND_IN_NVML
// says which machine it plays; built with RANKMAP_STAND_IN_OLD it lacks what old drivers lack.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

struct Link {
  int far;  // a GPU, or -1: a switch
};

struct Board {
  std::string name;
  std::string uuid;
  unsigned bus = 0;
  int first_cpu = 0;
  int last_cpu = -1;
  int numa = -1;
  int own_numa = -1;
  unsigned generation = 3;
  unsigned version = 2;
  int switch_group = 0;  // GPUs of a group hang under one PCIe switch
  std::vector<Link> links;
  std::vector<std::string> instances;
  bool mig = false;
};

constexpr int not_supported = 3;
constexpr int not_found = 6;
constexpr int driver_not_loaded = 9;
constexpr int invalid_argument = 2;
constexpr int unknown_error = 999;

std::string plays() {
  const char* given = std::getenv("RANKMAP_STAND_IN_NVML");
  return given == nullptr ? "" : given;
}

void join(std::vector<Board>& boards, int a, int b, int lanes) {
  for (int lane = 0; lane < lanes; ++lane) {
    boards[static_cast<std::size_t>(a)].links.push_back({b});
    boards[static_cast<std::size_t>(b)].links.push_back({a});
  }
}

Board board(const std::string& name, int index, unsigned bus, int socket) {
  Board one;
  one.name = name;
  one.uuid = "GPU-" + std::to_string(index);
  one.bus = bus;
  one.first_cpu = socket * 40;
  one.last_cpu = socket * 40 + 39;
  one.numa = socket;
  one.switch_group = index / 2;
  return one;
}

// The hybrid cube mesh: two quads of single and double links, and one link a GPU to the other quad.
std::vector<Board> dgx1v() {
  const unsigned buses[] = {0x06, 0x07, 0x0a, 0x0b, 0x85, 0x86, 0x89, 0x8a};
  std::vector<Board> boards;
  for (int i = 0; i < 8; ++i) boards.push_back(board("Tesla V100-SXM2-16GB", i, buses[i], i / 4));
  const int pairs[][3] = {{0, 1, 1}, {0, 2, 1}, {0, 3, 2}, {0, 4, 2}, {1, 2, 2}, {1, 3, 1},
                          {1, 5, 2}, {2, 3, 2}, {2, 6, 1}, {3, 7, 1}, {4, 5, 1}, {4, 6, 1},
                          {4, 7, 2}, {5, 6, 2}, {5, 7, 1}, {6, 7, 2}};
  for (const auto& pair : pairs) join(boards, pair[0], pair[1], pair[2]);
  return boards;
}

std::vector<Board> h100x8() {
  std::vector<Board> boards;
  for (int i = 0; i < 8; ++i) {
    boards.push_back(
        board("NVIDIA H100 80GB HBM3", i, 0x18U + 0x10U * static_cast<unsigned>(i), i / 4));
    Board& one = boards.back();
    one.generation = 5;
    one.version = 6;
    one.switch_group = i;
    one.links.assign(18, {-1});
  }
  return boards;
}

std::vector<Board> two_a100() {
  std::vector<Board> boards;
  for (int i = 0; i < 2; ++i) {
    boards.push_back(board("NVIDIA A100-SXM4-40GB", i, 0x10U + static_cast<unsigned>(i), 0));
    boards.back().generation = 4;
    boards.back().version = 4;
  }
  join(boards, 0, 1, 4);
  return boards;
}

std::vector<Board> mig() {
  std::vector<Board> boards = two_a100();
  boards[0].mig = true;
  boards[0].instances = {"MIG-a", "", "MIG-b"};  // the place in the middle is free
  return boards;
}

std::vector<Board> machine() {
  const std::string what = plays();
  if (what == "dgx1v") return dgx1v();
  if (what == "h100x8") return h100x8();
  if (what == "mig") return mig();
  std::vector<Board> boards = two_a100();
  if (what == "onesided") boards[1].links.clear();
  if (what == "strangers") boards[1].links = {{7}, {7}};
  if (what == "nameless") boards[0].name = boards[1].name = "NVIDIA Graphics Device";
  if (what == "emptymig") boards[0].mig = true;
  if (what == "gracehopper") boards[0].own_numa = 4;
  if (what == "nogpus") boards.clear();
  return boards;
}

// Handles are numbers from 1: the board, and above 1000 its instances.
int index_of(void* device) {
  return static_cast<int>(reinterpret_cast<std::size_t>(device)) - 1;
}
void* handle_of(int index) {
  return reinterpret_cast<void*>(static_cast<std::size_t>(index) + 1);
}
Board board_of(void* device) {
  return machine().at(static_cast<std::size_t>(index_of(device) % 1000));
}

int give(const std::string& text, char* to, unsigned length) {
  if (length <= text.size()) return 7;
  std::memcpy(to, text.c_str(), text.size() + 1);
  return 0;
}

struct Pci {
  char legacy[16];
  unsigned domain, bus, device, ids, subsystem;
  char id[32];
};

void fill(Pci* pci, unsigned bus) {
  std::memset(pci, 0, sizeof *pci);
  pci->bus = bus;
  std::snprintf(pci->legacy, sizeof pci->legacy, "0000:%02X:00.0", bus & 0xFFU);
  std::snprintf(pci->id, sizeof pci->id, "00000000:%02X:00.0", bus & 0xFFU);
}

}  // namespace

extern "C" {

int nvmlInit_v2() {
  return plays() == "nodriver" ? driver_not_loaded : 0;
}
int nvmlShutdown() {
  return 0;
}
int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = static_cast<unsigned>(machine().size());
  return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  if (plays() == "lostgpu" && index == 1) return 15;
  *device = handle_of(static_cast<int>(index));
  return 0;
}
int nvmlDeviceGetName(void* device, char* name, unsigned length) {
  return give(board_of(device).name, name, length);
}
int nvmlDeviceGetUUID(void* device, char* uuid, unsigned length) {
  const int index = index_of(device);
  const Board one = board_of(device);
  return give(
      index < 1000 ? one.uuid : one.instances.at(static_cast<std::size_t>(index / 1000 - 1)), uuid,
      length);
}
int nvmlDeviceGetPciInfo_v3(void* device, Pci* pci) {
  fill(pci, board_of(device).bus);
  return 0;
}

#ifndef RANKMAP_STAND_IN_OLD
int nvmlDeviceGetMaxPcieLinkGeneration(void* device, unsigned* generation) {
  *generation = board_of(device).generation;
  return 0;
}
int nvmlDeviceGetMaxPcieLinkWidth(void*, unsigned* width) {
  *width = 16;
  return 0;
}
int nvmlDeviceGetCpuAffinity(void* device, unsigned words, unsigned long* mask) {
  if (plays() == "errors") return unknown_error;
  const Board one = board_of(device);
  std::memset(mask, 0, words * sizeof(unsigned long));
  for (int cpu = one.first_cpu; cpu <= one.last_cpu; ++cpu) mask[cpu / 64] |= 1UL << (cpu % 64);
  return 0;
}
int nvmlDeviceGetMemoryAffinity(void* device, unsigned words, unsigned long* mask, unsigned) {
  if (plays() == "errors") return unknown_error;
  std::memset(mask, 0, words * sizeof(unsigned long));
  mask[0] = 1UL << board_of(device).numa;
  return 0;
}
int nvmlDeviceGetNumaNodeId(void* device, unsigned* node) {
  if (board_of(device).own_numa < 0) return not_supported;
  *node = static_cast<unsigned>(board_of(device).own_numa);
  return 0;
}
int nvmlDeviceGetNvLinkState(void* device, unsigned link, int* active) {
  if (plays() == "errors") return unknown_error;
  if (link >= 18) return invalid_argument;
  *active = link < board_of(device).links.size() ? 1 : 0;
  return 0;
}
int nvmlDeviceGetNvLinkRemotePciInfo_v2(void* device, unsigned link, Pci* pci) {
  const std::vector<Board> all = machine();
  const int far = board_of(device).links.at(link).far;
  const bool known = far >= 0 && far < static_cast<int>(all.size());
  fill(pci, known ? all[static_cast<std::size_t>(far)].bus : 0xc0U + link % 4);
  return 0;
}
int nvmlDeviceGetNvLinkRemoteDeviceType(void* device, unsigned link, int* type) {
  *type = board_of(device).links.at(link).far >= 0 ? 0 : 2;
  return 0;
}
int nvmlDeviceGetNvLinkVersion(void* device, unsigned, unsigned* version) {
  *version = board_of(device).version;
  return 0;
}
int nvmlDeviceGetTopologyCommonAncestor(void* a, void* b, int* level) {
  const Board one = board_of(a);
  const Board other = board_of(b);
  if (one.switch_group == other.switch_group) {
    *level = 10;
  } else {
    *level = one.numa == other.numa ? 30 : 50;
  }
  return 0;
}
int nvmlDeviceGetMigMode(void* device, unsigned* current, unsigned* pending) {
  *current = *pending = board_of(device).mig ? 1 : 0;
  return 0;
}
int nvmlDeviceGetMaxMigDeviceCount(void*, unsigned* count) {
  *count = 7;
  return 0;
}
int nvmlDeviceGetMigDeviceHandleByIndex(void* device, unsigned index, void** instance) {
  const Board one = board_of(device);
  if (index >= one.instances.size() || one.instances[index].empty()) return not_found;
  *instance = handle_of(index_of(device) + 1000 * (static_cast<int>(index) + 1));
  return 0;
}
#endif

}  // extern "C"
