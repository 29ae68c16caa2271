// The wrapper's place in a launcher's command line, and what the wrapper is told.
#include <algorithm>

#include "libmap/base/text.hpp"
#include "libmap/mapping/launch/additions.hpp"
#include "libmap/mapping/launch/assemble.hpp"

namespace rankmap {
namespace {

using Words = std::vector<std::string>;

// What the wrapper is told, by its option or by a variable.
struct Setting {
  std::string_view option, variable;
  std::string LaunchOptions::*text;
  bool LaunchOptions::*flag;
};
constexpr Setting settings[] = {
    {"--map", "RANKMAP_MAP", &LaunchOptions::map_path, nullptr},
    {"--report", "RANKMAP_REPORT", &LaunchOptions::report_directory, nullptr},
    {"--sum", "RANKMAP_SUM", &LaunchOptions::sum, nullptr},
    {"--gpus", "RANKMAP_GPUS", &LaunchOptions::gpus, nullptr},
    {"--nics", "RANKMAP_NICS", &LaunchOptions::nics, nullptr},
    {"--stage", "RANKMAP_STAGE", nullptr, &LaunchOptions::stage},
    {"--openmp", "RANKMAP_OPENMP", nullptr, &LaunchOptions::openmp},
    {"--verbose", "RANKMAP_VERBOSE", nullptr, &LaunchOptions::verbose},
};

std::string advice(const LaunchOptions& options) {
  if (options.preload.empty())
    return "put the wrapper before the program yourself: " + shell_line(wrapper_words(options)) +
           " PROGRAM ...";
  Words assignments;
  for (const auto& [name, value] : preload_variables(options))
    assignments.push_back(name + "=" + value);
  return "set these for every rank yourself: " + shell_line(assignments);
}

}  // namespace

std::vector<std::string> wrapper_words(const LaunchOptions& options) {
  Words words = {options.wrapper};
  for (const Setting& setting : settings) {
    if (setting.text != nullptr && !(options.*setting.text).empty())
      words.insert(words.end(), {std::string(setting.option), options.*setting.text});
    if (setting.flag != nullptr && options.*setting.flag) words.emplace_back(setting.option);
  }
  words.push_back("--");
  return words;
}

Variables preload_variables(const LaunchOptions& options) {
  std::string libraries;
  for (const std::string& path : options.preload) {
    if (path.empty() || path.find_first_of(": ") != std::string::npos)
      throw UsageError("found " + quoted(path) +
                       ", expected a path without blanks and colons: LD_PRELOAD is split at them");
    libraries += (libraries.empty() ? "" : ":") + path;
  }
  const auto inherited = options.inherited.find("LD_PRELOAD");
  if (inherited != options.inherited.end() && !inherited->second.empty())
    libraries += ":" + inherited->second;
  Variables variables = {{"LD_PRELOAD", libraries}};
  for (const Setting& setting : settings) {
    if (setting.text != nullptr && !(options.*setting.text).empty())
      variables.emplace_back(setting.variable, options.*setting.text);
    if (setting.flag != nullptr && options.*setting.flag)
      variables.emplace_back(setting.variable, "1");
  }
  return variables;
}

std::string shell_line(const std::vector<std::string>& words) {
  static constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%^";
  std::vector<std::string> parts;
  for (const std::string& word : words) {
    const bool bare = !word.empty() && word.find_first_not_of(plain) == std::string::npos;
    std::string part = bare ? word : "'";
    for (const char c : bare ? std::string() : word)
      part += c == '\'' ? "'\\''" : std::string(1, c);
    parts.push_back(bare ? part : part + "'");
  }
  return join(parts, " ");
}

Launch wrap_launch(const std::vector<std::string>& argv, LauncherKind kind,
                   const LaunchOptions& options) {
  const bool preload = !options.preload.empty();
  Variables variables = options.variables;
  const Variables more = preload ? preload_variables(options) : Variables();
  variables.insert(variables.end(), more.begin(), more.end());
  try {
    const CommandLine line = read_command_line(argv, kind);
    const Additions additions =
        additions_for(line, kind, variables, options, preload ? "the shim" : "the wrapper");
    if (preload) return assemble(argv, line, additions, {});
    const Words wrapper = wrapper_words(options);
    if (kind == LauncherKind::torchrun)
      return assemble_torchrun(argv, line, additions, wrapper, options.inherited);
    return assemble(argv, line, additions, wrapper);
  } catch (const UncertainCommand& why) {
    throw UsageError(why.what() + ("; " + advice(options)));
  }
}

}  // namespace rankmap
