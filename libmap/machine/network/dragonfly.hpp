// Dragonflies: groups of routers, all joined inside (one dimension, or the rows and columns of a
// Cray group), and every two groups joined by parallel links.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "libmap/machine/network.hpp"

namespace rankmap {

enum class DragonflyRouting { minimal, valiant, ugal };

struct DragonflyOptions {
  std::string text;
  int groups = 1;
  std::array<int, 2> routers = {1, 1};  // of a group: rows x columns; {n, 1}: all to all
  int ports = 1;                        // endpoints of a router
  LinkId parallel = 0;                  // links between two groups; 0 only with one group
  std::array<int, 2> lanes = {1, 1};    // parallel links of two routers of a row or column
  BytesPerSecond port_bytes_per_second = 0;
  std::array<BytesPerSecond, 2> local_bytes_per_second = {0, 0};  // of one lane
  BytesPerSecond global_bytes_per_second = 0;
  DragonflyRouting routing = DragonflyRouting::minimal;
};

// Routers of a group are numbered row-major: router i * columns + j joins all (*, j) over dimension
// 0 and all (i, *) over dimension 1; the lanes of a pair are one link. Link l of a pair of groups
// ends at evenly spread routers.
// minimal: to a router that holds one of the pair's global links, all links alike; over it; on to
// the destination. Two routers that differ in both dimensions are joined by two ways, weighed by
// the lanes of their first hop. valiant: minimal to a random router of a random group, then on;
// where that group is the source's or the destination's, minimal. ugal: the part x of all bytes
// minimal, the rest valiant, with the x that makes the busiest link least busy.
class Dragonfly final : public Network {
 public:
  explicit Dragonfly(DragonflyOptions options);  // UsageError: more than 2^28 links

  std::string text() const override { return options_.text; }
  NodeId nodes() const override { return options_.groups * routers_ * options_.ports; }
  LinkId links() const override { return links_; }
  NetworkLink link(LinkId link) const override;
  std::string link_name(LinkId link) const override;  // "g0r3>g0r5", "g0r5>g4r2 link 1"
  BytesPerSecond port_bytes_per_second() const override { return options_.port_bytes_per_second; }
  bool single_path() const override;
  // The shortest of the minimal routes, the first of equals, dimension 0 first.
  void append_route(EndpointId from, EndpointId to, std::vector<LinkId>& route) const override;
  int hops(EndpointId from, EndpointId to) const override;  // O(parallel links)
  // Of ugal: half minimal, half valiant.
  void add_load(EndpointId from, EndpointId to, double bytes,
                std::span<double> loads) const override;
  // O(flows log flows + routers x groups x parallel + groups x routers of a group^2).
  void add_loads(std::span<const NodeFlow> flows, std::span<double> loads) const override;
  int groups() const { return options_.groups; }
  // The groups that a link joins, from and to; a local link's are the same.
  std::array<int, 2> groups_of(LinkId link) const;
  NetworkShape shape() const override;
  std::vector<NetworkCut> cuts() const override;            // groups, routers
  std::vector<NetworkReach> reaches() const override;       // at most: ways that meet count apart
  std::vector<NetworkDivision> divisions() const override;  // routers

 private:
  friend class DragonflyLoads;
  using RouterId = std::int32_t;  // within its group

  int group_of(EndpointId endpoint) const { return endpoint / (routers_ * options_.ports); }
  RouterId router_of(EndpointId endpoint) const { return endpoint / options_.ports % routers_; }
  // The router of group `from` that holds its end of link l to and from group `to`.
  RouterId gateway(int from, int to, LinkId l) const;
  LinkId local_link(int group, RouterId from, RouterId to) const;  // they share a row or column
  LinkId global_link(int from, int to, LinkId l) const;
  int local_hops(RouterId from, RouterId to) const;
  void append_local(int group, RouterId from, RouterId to, std::vector<LinkId>& route) const;
  void add_local(int group, RouterId from, RouterId to, double bytes,
                 std::span<double> loads) const;
  LinkId nearest_link(int a, RouterId from, int b, RouterId to) const;
  void add_minimal(EndpointId from, EndpointId to, double bytes, std::span<double> loads) const;
  void add_valiant(EndpointId from, EndpointId to, double bytes, std::span<double> loads) const;
  void add_over(int group, EndpointId from, EndpointId to, double bytes,
                std::span<double> loads) const;
  // The x of ugal, between 0 and 1.
  double minimal_part(std::span<const double> minimal, std::span<const double> valiant) const;

  DragonflyOptions options_;
  int routers_;         // of a group
  LinkId local_ports_;  // of a router
  LinkId first_global_ = 0;
  LinkId links_ = 0;
};

}  // namespace rankmap
