#include "cli/manual.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "libmap/base/text.hpp"
#include "libmap/machine/machine_spec.hpp"
#include "patterns/pattern.hpp"

namespace rankmap::cli {
namespace {

// Backslashes, dashes and leading dots mean something to troff.
std::string troff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) {
      out += std::string("\\&") + c;
    } else {
      out += c;
    }
  }
  return out;
}

std::string option_head(const CLI::Option& option) {
  const std::string value = option.get_type_size() == 0 ? "" : " " + option.get_type_name();
  return option.get_name(false, true) + value;
}

std::string heading(const std::string& page) {
  return ".TH " + page + " 1 \"\" \"rankmap " + RANKMAP_VERSION + "\" \"rankmap\"\n";
}

constexpr const char* exit_codes =
    ".SH EXIT STATUS\n"
    "0 ok; 1 infeasible, or a check that says no; 2 usage; 3 bad input file; 4 not available "
    "here;\n"
    "5 system error; 70 a bug. run and exec pass the program's own code; rankmap's own failure "
    "there\n"
    "is 125 (126 and 127 as env(1)).\n";

}  // namespace

std::string man_page(const CLI::App& sub, const Command& command) {
  const std::string name = std::string("rankmap-") + command.name;
  std::string text = heading(name) + ".SH NAME\n" + troff(name) + " \\- " + troff(command.summary) +
                     "\n.SH SYNOPSIS\n.B rankmap " + command.name + "\n[OPTIONS]";
  for (const CLI::Option* option : sub.get_options())
    if (option->nonpositional() == false) text += " " + troff(option->get_name(true));
  if (command.takes_command) text += " \\-\\- COMMAND...";
  text += "\n.SH DESCRIPTION\n.nf\n" + troff(sub.get_description()) + "\n.fi\n.SH OPTIONS\n";
  for (const CLI::Option* option : sub.get_options())
    text +=
        ".TP\n.B " + troff(option_head(*option)) + "\n" + troff(option->get_description()) + "\n";
  return text + ".SH EXAMPLES\n.nf\n" + troff(command.examples) + "\n.fi\n" + exit_codes;
}

std::string man_page_of_program() {
  std::string text = heading("rankmap") +
                     ".SH NAME\nrankmap \\- decides where every rank of an MPI job runs\n"
                     ".SH SYNOPSIS\n.B rankmap\nSUBCOMMAND [OPTIONS]\n.SH SUBCOMMANDS\n";
  for (const Command& row : commands())
    text += ".TP\n.B " + std::string(row.name) + "\n" + troff(row.summary) + "\n";
  return text + exit_codes;
}

std::string bash_completion(const CLI::App& program, const Context& context) {
  std::vector<std::string> names;
  std::string cases;
  for (const CLI::App* sub : program.get_subcommands({})) {
    names.push_back(sub->get_name());
    std::vector<std::string> words;
    for (const CLI::Option* option : sub->get_options())
      for (const std::string& word : option->get_lnames()) words.push_back("--" + word);
    cases += "    " + sub->get_name() + ") words=\"" + join(words, " ") + "\" ;;\n";
  }
  std::vector<std::string> kinds;
  for (const PatternRow& row : pattern_rows()) kinds.push_back(std::string(row.name) + ":");
  const std::string machines = join(machine_names(context.share_directory), " ");
  return "# bash completion for rankmap, made by `rankmap help --completion`\n"
         "_rankmap() {\n"
         "  local now=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words\n"
         "  case $before in\n"
         "    rankmap) COMPREPLY=($(compgen -W \"" +
         join(names, " ") +
         "\" -- \"$now\")); return ;;\n"
         "    -m|--machine|machine) COMPREPLY=($(compgen -W \"" +
         machines +
         " local\" -f -- \"$now\")); return ;;\n"
         "    --app|map|score|pattern) [[ $now == -* ]] || { COMPREPLY=($(compgen -W \"" +
         join(kinds, " ") +
         "\" -- \"$now\")); return; } ;;\n"
         "  esac\n"
         "  case ${COMP_WORDS[1]} in\n" +
         cases +
         "  esac\n"
         "  if [[ $now == -* ]]; then COMPREPLY=($(compgen -W \"$words\" -- \"$now\"))\n"
         "  else COMPREPLY=($(compgen -f -- \"$now\")); fi\n"
         "}\n"
         "complete -o nospace -F _rankmap rankmap\n";
}

}  // namespace rankmap::cli
