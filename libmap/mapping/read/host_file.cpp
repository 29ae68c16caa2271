#include "libmap/mapping/read/host_file.hpp"

#include <algorithm>
#include <set>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/machine/job/host_list.hpp"

namespace rankmap {
namespace {

struct Word {
  std::string_view text;
  TextPosition where;
};

std::vector<Word> words_of(std::string_view line, const std::string& source, std::size_t number) {
  std::vector<Word> words;
  for (const std::string_view text : split_words(trim(line)))
    words.push_back(
        {text, {source, number, static_cast<std::size_t>(text.data() - line.data()) + 1}});
  return words;
}

// Behind the name stand KEY=VALUE; the counts among them must be counts.
void check_setting(const Word& word) {
  const std::size_t equals = word.text.find('=');
  const std::string_view key = word.text.substr(0, equals);
  if (equals == word.text.npos || key.empty())
    throw InputError(word.where, "found " + quoted(word.text) +
                                     " behind a host, expected KEY=VALUE, as in slots=4");
  const bool count = key == "slots" || key == "max_slots" || key == "max-slots" || key == "count";
  if (count && !parse_unsigned(word.text.substr(equals + 1)))
    throw InputError(word.where, "found " + quoted(word.text) + ", expected a number behind =");
}

// "n0:4" without its count. Colons of an IPv6 address stay: they are more than one.
std::string_view without_count(const Word& word) {
  const std::size_t colon = word.text.find(':');
  if (colon == word.text.npos || word.text.find(':', colon + 1) != word.text.npos) return word.text;
  if (!parse_unsigned(word.text.substr(colon + 1)))
    throw InputError(word.where, "found " + quoted(word.text) +
                                     ", expected a number of ranks behind the colon, as in n0:4");
  return word.text.substr(0, colon);
}

std::vector<std::string> hosts_of(const Word& word) {
  const std::string_view name = without_count(word);
  const bool plain = std::all_of(
      name.begin(), name.end(), [](char c) { return c > ' ' && c <= '~' && c != '=' && c != '"'; });
  if (!plain || name.empty() || name == "-")
    throw InputError(word.where, "found " + quoted(word.text) + ", expected the name of a host");
  try {
    return expand_host_list(name, "host file");
  } catch (const UsageError& error) {
    throw InputError(word.where, error.what());
  }
}

}  // namespace

std::vector<std::string> read_host_file(std::string_view text, const std::string& source) {
  std::vector<std::string> hosts;
  std::set<std::string> seen;
  std::size_t number = 0;
  for (const std::string_view line : split_lines(text)) {
    const std::vector<Word> words = words_of(line.substr(0, line.find('#')), source, ++number);
    if (words.empty()) continue;
    for (const std::string& host : hosts_of(words.front()))
      if (seen.insert(host).second) hosts.push_back(host);
    std::for_each(words.begin() + 1, words.end(), check_setting);
    if (hosts.size() > most_hosts)
      throw InputError(words.front().where, "more than " + std::to_string(most_hosts) + " hosts");
  }
  if (hosts.empty())
    throw InputError({source, 0, 0}, "no host is in it, expected one a line, as in n0 or n0:4");
  return hosts;
}

}  // namespace rankmap
