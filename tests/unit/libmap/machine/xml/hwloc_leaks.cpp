// What LeakSanitizer must not hold against us: hwloc forgets objects of XML that it refuses, and its
// PCI plugin forgets its devices. One topology is kept so that plugins stay loaded and keep names.
#include <hwloc.h>

namespace {

hwloc_topology_t kept_topology() {
  hwloc_topology_t topology = nullptr;
  hwloc_topology_init(&topology);
  return topology;
}

const hwloc_topology_t kept = kept_topology();

}  // namespace

extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return kept == nullptr ? "" : "leak:libhwloc\nleak:libpciaccess\nleak:hwloc_pci\n";
}
