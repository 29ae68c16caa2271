#include "libmap/mapping/launch/assemble.hpp"

namespace rankmap {
namespace {

using Words = std::vector<std::string>;

void append(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

void append(Words& words, const Words& argv, std::size_t first, std::size_t end) {
  for (std::size_t i = first; i < end; ++i) words.push_back(argv[i]);
}

Launch begin(const Words& argv, const CommandLine& line, const Additions& additions) {
  Launch launch;
  launch.environment = additions.environment;
  launch.notes = additions.notes;
  append(launch.argv, argv, 0, line.head);
  return launch;
}

// torchrun takes its switches from PET_NAME as well.
bool is_on(std::string_view name, const Environment& inherited) {
  const auto found = inherited.find("PET_" + std::string(name));
  return found != inherited.end() && found->second != "0" && !found->second.empty();
}

}  // namespace

Launch assemble(const Words& argv, const CommandLine& line, const Additions& additions,
                const Words& wrapper) {
  Launch launch = begin(argv, line, additions);
  for (std::size_t i = 0; i < line.contexts.size(); ++i) {
    const CommandContext& context = line.contexts[i];
    if (i > 0) launch.argv.push_back(":");
    append(launch.argv, additions.context);
    if (i == 0) append(launch.argv, additions.first);
    append(launch.argv, argv, context.first, context.options_end);
    append(launch.argv, additions.last[i]);
    const std::size_t program = context.program.value_or(context.end);
    append(launch.argv, argv, context.options_end, program);
    if (context.program) append(launch.argv, wrapper);
    append(launch.argv, argv, program, context.end);
  }
  return launch;
}

Launch assemble_torchrun(const Words& argv, const CommandLine& line, const Additions& additions,
                         const Words& wrapper, const Environment& inherited) {
  const CommandContext& context = line.contexts.front();
  unsigned effects = effects_of(line);
  if (is_on("NO_PYTHON", inherited)) effects |= effect::executable;
  if ((effects & effect::inside) || is_on("RUN_PATH", inherited))
    throw UncertainCommand("with --run-path there is no program of its own to wrap");
  if (is_on("MODULE", inherited))
    throw UncertainCommand("PET_MODULE is set, and torchrun refuses --no-python with it");
  Launch launch = begin(argv, line, additions);
  for (const GivenOption& option : context.options)
    if (!(option.effects & effect::module))
      append(launch.argv, argv, option.first, option.last + 1);
  append(launch.argv, additions.last.front());
  if (!(effects & effect::executable)) launch.argv.push_back("--no-python");
  append(launch.argv, wrapper);
  if (!(effects & effect::executable)) {
    const auto python = inherited.find("PYTHON_EXEC");
    const std::string name = python == inherited.end() ? "python3" : python->second;
    append(launch.argv, {name, "-u"});
    if (effects & effect::module) launch.argv.push_back("-m");
    launch.notes.push_back("the wrapper starts Python as " + name +
                           (python == inherited.end() ? "; PYTHON_EXEC names another" : ""));
  }
  append(launch.argv, argv, *context.program, context.end);
  return launch;
}

}  // namespace rankmap
