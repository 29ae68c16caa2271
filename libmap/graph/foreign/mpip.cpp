// mpiP's reports: recognised, so that the refusal can say why and what to use instead.
#include "libmap/base/error.hpp"
#include "libmap/graph/foreign/formats.hpp"

namespace rankmap {

bool is_mpip(std::string_view content) {
  return content.starts_with("@ mpiP");
}

CommGraph refuse_mpip(std::string_view, const std::string& source) {
  throw InputError({source, 1, 1},
                   "a report of mpiP counts what each call site sends, not to whom; expected a "
                   "recording that names the peers (rankmap run --record FILE makes one)");
}

}  // namespace rankmap
