// Expected bytes on the links of a dragonfly for many flows, from their sums by router and group.
#include <algorithm>

#include "libmap/machine/network/dragonfly.hpp"

namespace rankmap {

// The sums by which the loads of many flows follow: what each router sends to each other group and
// receives from it, and what each group sends to each.
class DragonflyLoads {
 public:
  DragonflyLoads(const Dragonfly& network, std::span<const NodeFlow> flows) : network_(network) {
    const int groups = network.options_.groups;
    between_.assign(static_cast<std::size_t>(groups) * static_cast<std::size_t>(groups), 0);
    for (const NodeFlow& flow : flows) {
      const int a = network.group_of(flow.from);
      const int b = network.group_of(flow.to);
      if (a == b) {
        inside_.push_back(flow);
        continue;
      }
      sent_.push_back({key(flow.from, b), flow.bytes});
      received_.push_back({key(flow.to, a), flow.bytes});
      between(a, b) += flow.bytes;
    }
    merge(sent_);
    merge(received_);
  }

  void add_minimal(std::span<double> loads) {
    add_inside(loads);
    for (const Sum& sum : sent_) add_sent(router(sum), group(sum), sum.bytes, loads);
    for (const Sum& sum : received_) add_received(router(sum), group(sum), sum.bytes, loads);
    for (int a = 0; a < groups(); ++a)
      for (int b = 0; b < groups(); ++b) add_global(a, b, between(a, b), loads);
  }

  // Each of the g groups is the middle with probability 1/g; the source's and the destination's
  // mean the minimal way. A router thus sends to group H 1/g of all it sends away (H as the middle,
  // or the end with the end as the middle) and again 1/g of what ends there (the source as the
  // middle); the same holds for what it receives. Between groups, A to B carries 1/g of all that A
  // sends and 1/g of all that B receives: what goes from A to B itself counts in both.
  void add_valiant(std::span<double> loads) {
    add_inside(loads);
    add_scattered(sent_, loads, &DragonflyLoads::add_sent);
    add_scattered(received_, loads, &DragonflyLoads::add_received);
    const std::vector<double> out = totals(true);
    const std::vector<double> in = totals(false);
    for (int a = 0; a < groups(); ++a) {
      for (int b = 0; b < groups(); ++b) {
        if (a == b) continue;
        add_global(a, b, (out[at(a)] + in[at(b)]) / groups(), loads);
      }
      add_transit(a, out, in, loads);
    }
  }

 private:
  struct Sum {
    std::int64_t key;  // router of the whole network * groups + group
    double bytes;
  };
  using Add = void (DragonflyLoads::*)(std::int32_t, int, double, std::span<double>) const;

  static std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }
  int groups() const { return network_.options_.groups; }
  int routers() const { return network_.routers_; }
  LinkId parallel() const { return network_.options_.parallel; }
  std::int64_t key(EndpointId endpoint, int group) const {
    return std::int64_t{endpoint / network_.options_.ports} * groups() + group;
  }
  std::int32_t router(const Sum& sum) const {
    return static_cast<std::int32_t>(sum.key / groups());
  }
  int group(const Sum& sum) const { return static_cast<int>(sum.key % groups()); }
  double& between(int a, int b) { return between_[at(a) * at(groups()) + at(b)]; }

  static void merge(std::vector<Sum>& sums) {
    std::stable_sort(sums.begin(), sums.end(),
                     [](const Sum& a, const Sum& b) { return a.key < b.key; });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (kept > 0 && sums[kept - 1].key == sums[i].key)
        sums[kept - 1].bytes += sums[i].bytes;
      else
        sums[kept++] = sums[i];
    }
    sums.resize(kept);
  }

  void add_inside(std::span<double> loads) const {
    for (const NodeFlow& flow : inside_)
      network_.add_minimal(flow.from, flow.to, flow.bytes, loads);
  }

  void add_sent(std::int32_t router, int to, double bytes, std::span<double> loads) const {
    const int group = router / routers();
    for (LinkId l = 0; l < parallel(); ++l)
      network_.add_local(group, router % routers(), network_.gateway(group, to, l),
                         bytes / parallel(), loads);
  }

  void add_received(std::int32_t router, int from, double bytes, std::span<double> loads) const {
    const int group = router / routers();
    for (LinkId l = 0; l < parallel(); ++l)
      network_.add_local(group, network_.gateway(group, from, l), router % routers(),
                         bytes / parallel(), loads);
  }

  void add_global(int a, int b, double bytes, std::span<double> loads) const {
    if (a == b || bytes == 0) return;
    for (LinkId l = 0; l < parallel(); ++l)
      loads[at(network_.global_link(a, b, l))] += bytes / parallel();
  }

  void add_scattered(const std::vector<Sum>& sums, std::span<double> loads, Add add) const {
    for (std::size_t first = 0; first < sums.size();) {
      const std::int32_t here = router(sums[first]);
      std::vector<double> to(at(groups()), 0);
      double total = 0;
      for (; first < sums.size() && router(sums[first]) == here; ++first) {
        to[at(group(sums[first]))] += sums[first].bytes;
        total += sums[first].bytes;
      }
      for (int group = 0; group < groups(); ++group)
        if (group != here / routers())
          (this->*add)(here, group, (to[at(group)] + total) / groups(), loads);
    }
  }

  std::vector<double> totals(bool out) {
    std::vector<double> sums(at(groups()), 0);
    for (int a = 0; a < groups(); ++a)
      for (int b = 0; b < groups(); ++b) sums[at(out ? a : b)] += between(a, b);
    return sums;
  }

  // What passes a group as the middle: in at the gateways, to a random router, out at the gateways.
  void add_transit(int middle, const std::vector<double>& out, const std::vector<double>& in,
                   std::span<double> loads) {
    std::vector<double> arriving(at(routers()), 0), leaving(at(routers()), 0);
    for (int other = 0; other < groups(); ++other) {
      if (other == middle) continue;
      const double from = (out[at(other)] - between(other, middle)) / groups() / parallel();
      const double to = (in[at(other)] - between(middle, other)) / groups() / parallel();
      for (LinkId l = 0; l < parallel(); ++l) {
        arriving[at(network_.gateway(middle, other, l))] += from;
        leaving[at(network_.gateway(middle, other, l))] += to;
      }
    }
    for (int gateway = 0; gateway < routers(); ++gateway) {
      for (int router = 0; router < routers(); ++router) {
        network_.add_local(middle, gateway, router, arriving[at(gateway)] / routers(), loads);
        network_.add_local(middle, router, gateway, leaving[at(gateway)] / routers(), loads);
      }
    }
  }

  const Dragonfly& network_;
  std::vector<NodeFlow> inside_;
  std::vector<Sum> sent_;
  std::vector<Sum> received_;
  std::vector<double> between_;  // [a][b]; 0 on the diagonal
};

void Dragonfly::add_loads(std::span<const NodeFlow> flows, std::span<double> loads) const {
  DragonflyLoads sums(*this, flows);
  if (options_.routing == DragonflyRouting::minimal) return sums.add_minimal(loads);
  if (options_.routing == DragonflyRouting::valiant) return sums.add_valiant(loads);
  std::vector<double> minimal(loads.size(), 0), valiant(loads.size(), 0);
  sums.add_minimal(minimal);
  sums.add_valiant(valiant);
  const double part = minimal_part(minimal, valiant);
  for (std::size_t link = 0; link < loads.size(); ++link)
    loads[link] += part * minimal[link] + (1 - part) * valiant[link];
}

}  // namespace rankmap
