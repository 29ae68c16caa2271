#include "libmap/machine/xml/hwloc_xml.hpp"

#include "libmap/base/error.hpp"
#include "libmap/machine/xml/hwloc_topology.hpp"
#include "libmap/machine/xml/trial.hpp"
#include "libmap/machine/xml/xml_text.hpp"

namespace rankmap {
namespace {

bool recognises(std::string_view text) {
  return xml_root_name(text) == "topology";
}

NodeModel convert(std::string_view text, const std::string& source) {
  const HwlocTopology topology = hwloc_from_xml(text, source);
  HwlocConversion conversion(topology.get(), "hwloc-xml", nullptr);
  conversion.add_gpus(hwloc_gpus(topology.get()));
  conversion.add_nics();
  return conversion.finish();
}

// hwloc trusts its XML: an object out of place can make it crash.
NodeModel read(std::string_view text, const std::string& source, const ReaderOptions&) {
  check_hwloc_xml(text, source);
  if (!ends_in_child([&] { convert(text, source); }))
    throw InputError({source, 0, 0}, "hwloc fails on this XML, expected a whole export by lstopo");
  return convert(text, source);
}

}  // namespace

const NodeReader hwloc_xml_reader = {"hwloc-xml", "XML export of hwloc (lstopo FILE.xml)",
                                     recognises, read};

}  // namespace rankmap
