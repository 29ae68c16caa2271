#include "libmap/machine/job/allocation.hpp"

#include <array>
#include <cstdlib>
#include <set>

#include "libmap/base/error.hpp"
#include "libmap/base/files.hpp"
#include "libmap/base/text.hpp"
#include "libmap/machine/job/host_list.hpp"

namespace rankmap {
namespace {

using Hosts = std::vector<std::string>;

// One host a line, as often as it has places.
Hosts hosts_of_file(const std::string& path, const std::string&) {
  Hosts hosts;
  const std::string text = read_text(path);
  for (const std::string_view line : split_lines(text))
    if (const std::string_view name = trim(line); !name.empty()) hosts.emplace_back(name);
  return hosts;
}

// LSB_MCPU_HOSTS: names and counts by turns.
Hosts hosts_and_counts(const std::string& value, const std::string& source) {
  const std::vector<std::string_view> words = split_words(value);
  Hosts hosts;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    if (i + 1 == words.size() || !parse_unsigned(words[i + 1]))
      throw UsageError(source + ": found " + quoted(value.substr(0, 80)) +
                       ", expected names and counts by turns, as in n0 4 n1 4");
    hosts.emplace_back(words[i]);
  }
  return hosts;
}

Hosts plain_words(const std::string& value, const std::string&) {
  Hosts hosts;
  for (const std::string_view word : split_words(value)) hosts.emplace_back(word);
  return hosts;
}

Hosts compressed(const std::string& value, const std::string& source) {
  return expand_host_list(value, source);
}

struct Manager {
  const char* name;
  const char* variable;
  Hosts (*read)(const std::string& value, const std::string& source);
};

constexpr std::array managers = {Manager{"Slurm", "SLURM_JOB_NODELIST", compressed},
                                 Manager{"Slurm", "SLURM_NODELIST", compressed},
                                 Manager{"PBS", "PBS_NODEFILE", hosts_of_file},
                                 Manager{"LSF", "LSB_DJOB_HOSTFILE", hosts_of_file},
                                 Manager{"LSF", "LSB_MCPU_HOSTS", hosts_and_counts},
                                 Manager{"LSF", "LSB_HOSTS", plain_words}};

Hosts each_once(const Hosts& hosts) {
  Hosts result;
  std::set<std::string> seen;
  for (const std::string& host : hosts)
    if (seen.insert(host).second) result.push_back(host);
  return result;
}

}  // namespace

std::optional<std::string> environment_variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

Allocation read_allocation(const VariableLookup& variables) {
  for (const Manager& row : managers) {
    const std::optional<std::string> value = variables(row.variable);
    if (!value || value->empty()) continue;
    Allocation allocation{row.name, each_once(row.read(*value, row.variable))};
    if (allocation.hosts.empty())
      throw UsageError(std::string(row.variable) + " names no host, expected those of this job");
    return allocation;
  }
  return {};
}

}  // namespace rankmap
