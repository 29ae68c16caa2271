// The wrapper's place in a launcher's command line.
#include "libmap/mapping/launch.hpp"

#include <algorithm>

#include "libmap/base/text.hpp"
#include "libmap/mapping/launcher_options.hpp"

namespace rankmap {
namespace {

const LauncherOption* find_option(LauncherKind kind, std::string_view word) {
  if (word.size() < 2 || word.front() != '-') return nullptr;
  word.remove_prefix(word.rfind("--", 0) == 0 ? 2 : 1);
  for (const LauncherOption& option : launcher_options(kind))
    if (option.name == word) return &option;
  return nullptr;
}

// What stands before the program of one application context.
struct Context {
  std::size_t program = 0;  // index in argv
  bool binds = false;
  bool maps = false;
};

[[noreturn]] void refuse(const std::string& why, const LaunchOptions& options) {
  throw UsageError(why + "; put the wrapper before the program yourself: " +
                   shell_line(wrapper_words(options)) + " PROGRAM ...");
}

// Passes over the options from argv[at] to the program; there must be one.
Context read_context(const std::vector<std::string>& argv, std::size_t at, LauncherKind kind,
                     const LaunchOptions& options) {
  Context context;
  while (at < argv.size() && argv[at].size() > 1 && argv[at].front() == '-') {
    const LauncherOption* const option = find_option(kind, argv[at]);
    if (option == nullptr)
      refuse("the option " + quoted(argv[at]) + " of " + argv.front() +
                 " is not known, so it is not certain where the program begins",
             options);
    if (option->effect == OptionEffect::elsewhere)
      refuse("with " + quoted(argv[at]) + " the program stands in a file", options);
    const std::size_t last = at + static_cast<std::size_t>(option->arguments);
    const bool processing_elements = last < argv.size() && option->effect == OptionEffect::maps &&
                                     to_lower(argv[last]).find("pe=") != std::string::npos;
    const bool rankfile = last < argv.size() && option->effect == OptionEffect::maps &&
                          argv[last].rfind("rankfile", 0) == 0;
    context.binds |= option->effect == OptionEffect::binds || processing_elements || rankfile;
    context.maps |= option->effect == OptionEffect::maps;
    at = last + 1;
  }
  if (at >= argv.size() || argv[at] == ":")
    refuse("found no program in the command line of " + argv.front(), options);
  context.program = at;
  return context;
}

std::vector<Context> read_contexts(const std::vector<std::string>& argv, LauncherKind kind,
                                   const LaunchOptions& options) {
  std::vector<Context> contexts;
  std::size_t at = 1;
  do {
    contexts.push_back(read_context(argv, at, kind, options));
    const auto next = std::find(argv.begin() + static_cast<std::ptrdiff_t>(contexts.back().program),
                                argv.end(), ":");
    at = static_cast<std::size_t>(next - argv.begin()) + 1;
  } while (at <= argv.size());
  return contexts;
}

std::vector<std::string> variable_words(LauncherKind kind, const LaunchOptions& options) {
  std::vector<std::string> words;
  for (const auto& [name, value] : options.variables) {
    const bool hydra = kind == LauncherKind::hydra;
    words.push_back(hydra ? "-genv" : "-x");
    words.push_back(hydra ? name : name + "=" + value);
    if (hydra) words.push_back(value);
  }
  return words;
}

bool any(const std::vector<Context>& contexts, bool Context::*member) {
  return std::any_of(contexts.begin(), contexts.end(),
                     [&](const Context& context) { return context.*member; });
}

// What goes directly behind the launcher's name.
std::vector<std::string> global_words(const std::vector<Context>& contexts, LauncherKind kind,
                                      const LaunchOptions& options,
                                      std::vector<std::string>& notes) {
  std::vector<std::string> words = variable_words(kind, options);
  const bool binds = any(contexts, &Context::binds);
  const bool rankfile = !options.rankfile.empty() && !binds && !any(contexts, &Context::maps) &&
                        kind == LauncherKind::openmpi;
  if (rankfile) {
    words.insert(words.end(), {"-rf", options.rankfile});
    notes.push_back("-rf " + options.rankfile + ": every rank on its host");
  } else if (binds) {
    notes.push_back("the launcher binds as the command line asks; the plan applies inside that");
  } else {
    words.insert(words.end(), {kind == LauncherKind::hydra ? "-bind-to" : "--bind-to", "none"});
    notes.push_back("added " + words[words.size() - 2] + " none: the wrapper binds each rank");
  }
  return words;
}

}  // namespace

std::vector<std::string> wrapper_words(const LaunchOptions& options) {
  std::vector<std::string> words = {options.wrapper};
  if (!options.map_path.empty()) words.insert(words.end(), {"--map", options.map_path});
  if (!options.report_directory.empty())
    words.insert(words.end(), {"--report", options.report_directory});
  words.push_back("--");
  return words;
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
  if (argv.empty()) refuse("an empty command line", options);
  const std::vector<Context> contexts = read_contexts(argv, kind, options);
  const std::vector<std::string> wrapper = wrapper_words(options);
  Launch launch;
  launch.argv.push_back(argv.front());
  const std::vector<std::string> words = global_words(contexts, kind, options, launch.notes);
  launch.argv.insert(launch.argv.end(), words.begin(), words.end());
  std::size_t context = 0;
  for (std::size_t i = 1; i < argv.size(); ++i) {
    if (context < contexts.size() && i == contexts[context].program) {
      launch.argv.insert(launch.argv.end(), wrapper.begin(), wrapper.end());
      ++context;
    }
    launch.argv.push_back(argv[i]);
  }
  return launch;
}

}  // namespace rankmap
