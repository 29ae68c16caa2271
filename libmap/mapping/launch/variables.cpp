// Where a launcher hands its own environment to the ranks, variables go there; else into its
// options.
#include "libmap/mapping/launch/variables.hpp"

#include <algorithm>

#include "libmap/base/text.hpp"

namespace rankmap {
namespace {

using Words = std::vector<std::string>;

void append(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

bool filters(const CommandContext& context) {
  return std::any_of(context.options.begin(), context.options.end(),
                     [](const GivenOption& option) { return option.effects & effect::filters; });
}

// The last value an option was given in a context, whatever its spelling.
const std::string* last_value(const CommandContext& context, std::string_view name) {
  const std::string* value = nullptr;
  for (const GivenOption& option : context.options)
    if (option.name == name) value = &option.value;
  return value;
}

// -x goes to one context only; hydra's -genv to all.
void by_x(const CommandLine&, const Variables& variables, const Environment&,
          Additions& additions) {
  for (const auto& [name, value] : variables) append(additions.context, {"-x", name + "=" + value});
}

void by_genv(const CommandLine&, const Variables& variables, const Environment&,
             Additions& additions) {
  for (const auto& [name, value] : variables) append(additions.first, {"-genv", name, value});
}

void by_environment(const CommandLine&, const Variables& variables, const Environment&,
                    Additions& additions) {
  additions.environment = variables;
}

// Lists of --export take names, whose values srun reads from its own environment: so any value will
// do.
void by_export(const CommandLine& line, const Variables& variables, const Environment& inherited,
               Additions& additions) {
  additions.environment = variables;
  const auto from_environment = inherited.find("SLURM_EXPORT_ENV");
  for (std::size_t i = 0; i < line.contexts.size() && !variables.empty(); ++i) {
    const std::string* const given = last_value(line.contexts[i], "export");
    std::string list = given != nullptr                      ? *given
                       : from_environment != inherited.end() ? from_environment->second
                                                             : "ALL";
    const std::vector<std::string_view> names = split(list, ',');
    if (std::find(names.begin(), names.end(), "ALL") != names.end()) continue;
    if (list == "NONE" || list == "NIL") list.clear();
    for (const auto& [name, value] : variables) list += (list.empty() ? "" : ",") + name;
    additions.last[i].push_back("--export=" + list);
    additions.notes.push_back("added --export=" + list + ": without it the variables stay behind");
  }
}

// Flux reads $NAME in a value, and applies the rules in their order.
void by_rule(const CommandLine& line, const Variables& variables, const Environment& inherited,
             Additions& additions) {
  if (!filters(line.contexts.front())) return by_environment(line, variables, inherited, additions);
  for (const auto& [name, value] : variables) {
    std::string rule = "--env=" + name + "=";
    for (const char c : value) rule += c == '$' ? "$$" : std::string(1, c);
    additions.last.front().push_back(rule);
  }
}

void by_jsrun(const CommandLine& line, const Variables& variables, const Environment& inherited,
              Additions& additions) {
  if (!filters(line.contexts.front())) return by_environment(line, variables, inherited, additions);
  for (const auto& [name, value] : variables)
    append(additions.last.front(), {"-E", name + "=" + value});
}

void by_pals(const CommandLine& line, const Variables& variables, const Environment& inherited,
             Additions& additions) {
  if (!filters(line.contexts.front())) return by_environment(line, variables, inherited, additions);
  for (const auto& [name, value] : variables)
    append(additions.last.front(), {"--env", name + "=" + value});
}

struct Way {
  LauncherKind kind;
  void (*add)(const CommandLine&, const Variables&, const Environment&, Additions&);
};
constexpr Way ways[] = {
    {LauncherKind::openmpi, by_x},
    {LauncherKind::prrte, by_x},
    {LauncherKind::hydra, by_genv},
    {LauncherKind::intel, by_genv},
    {LauncherKind::srun, by_export},
    {LauncherKind::flux, by_rule},
    {LauncherKind::jsrun, by_jsrun},
    {LauncherKind::pals, by_pals},
    {LauncherKind::torchrun, by_environment},
};

bool sets(std::string_view value, std::string_view name) {
  for (const std::string_view part : split(value, ','))
    if (part.substr(0, part.find('=')) == name) return true;
  return false;
}

// Two values for one name: which of them wins differs from launcher to launcher.
void refuse_a_second_value(const CommandLine& line, const Variables& variables) {
  for (const CommandContext& context : line.contexts)
    for (const GivenOption& option : context.options)
      for (const auto& [name, value] : variables)
        if (sets(option.value, name))
          throw UncertainCommand("the command line sets " + name + " as well");
}

}  // namespace

void add_variables(const CommandLine& line, LauncherKind kind, const Variables& variables,
                   const Environment& inherited, Additions& additions) {
  refuse_a_second_value(line, variables);
  for (const Way& way : ways)
    if (way.kind == kind) way.add(line, variables, inherited, additions);
}

}  // namespace rankmap
