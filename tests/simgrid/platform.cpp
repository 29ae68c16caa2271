// platform NETWORK: the network as SimGrid's platform, every route link by link; slot i is host s<i>. One
// slot an endpoint, one route a pair.
#include <cstdio>

#include "libmap/base/error.hpp"
#include "libmap/machine/machine_spec.hpp"

namespace {

using namespace rankmap;

void print_links(const Machine& machine) {
  std::puts("<link id='own' bandwidth='1e12Bps' latency='0s' sharing_policy='FATPIPE'/>");
  for (LinkId link = 0; link < machine.links(); ++link)
    std::printf("<link id='l%d' bandwidth='%lluBps' latency='0s' sharing_policy='SHARED'/>\n", link,
                static_cast<unsigned long long>(machine.link(link).bytes_per_second));
}

void print_route(const Machine& machine, SlotId from, SlotId to) {
  std::printf("<route src='s%d' dst='s%d' symmetrical='NO'>", from, to);
  if (from == to) std::fputs("<link_ctn id='own'/>", stdout);
  for (const LinkId link : machine.route(from, to)) std::printf("<link_ctn id='l%d'/>", link);
  std::puts("</route>");
}

void print_platform(const Machine& machine) {
  std::puts(
      "<?xml version='1.0'?>\n"
      "<!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>\n"
      "<platform version='4.1'><zone id='world' routing='Full'>");
  for (SlotId slot = 0; slot < machine.slots(); ++slot)
    std::printf("<host id='s%d' speed='1Gf'/>\n", slot);
  print_links(machine);
  for (SlotId from = 0; from < machine.slots(); ++from)
    for (SlotId to = 0; to < machine.slots(); ++to) print_route(machine, from, to);
  std::puts("</zone></platform>");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Machine machine = read_machine(argc == 2 ? argv[1] : "", {});
    if (machine.slots_per_node() != 1 || !machine.plain_routes())
      throw UsageError("expected a network with one slot an endpoint and one route a pair");
    print_platform(machine);
    return 0;
  } catch (const Error& error) {
    std::fprintf(stderr, "platform: %s\n", error.what());
    return static_cast<int>(error.code());
  }
}
