// Options are passed over only where their extent is certain: every other case is an exception.
#include "libmap/mapping/launch/command_line.hpp"

#include <algorithm>

#include "libmap/base/text.hpp"

namespace rankmap {
namespace {

bool is_option(const std::string& word) {
  return word.size() > 1 && word.front() == '-';
}

// One context's options, from argv[at_] on.
class OptionReader {
 public:
  OptionReader(const std::vector<std::string>& argv, std::size_t at, LauncherKind kind)
      : argv_(argv), at_(at), syntax_(launcher_syntax(kind)) {}

  std::vector<GivenOption> read() {
    while (at_ < argv_.size() && is_option(argv_[at_]) && argv_[at_] != "--")
      syntax_.letters&& argv_[at_][1] != '-' ? take_letters() : take_name();
    return std::move(given_);
  }

  std::size_t position() const { return at_; }

 private:
  [[noreturn]] void unknown() const {
    throw UncertainCommand("the option " + quoted(argv_[at_]) + " of " + argv_.front() +
                           " is not known, so it is not certain where the program begins");
  }

  std::string plain_name(std::string_view name) const {
    std::string plain(name);
    if (syntax_.underscores) std::replace(plain.begin(), plain.end(), '_', '-');
    return plain;
  }

  const LauncherOption* find(std::string_view name) const {
    for (const LauncherOption& option : syntax_.options)
      if (option.name == name) return &option;
    return nullptr;
  }

  const LauncherOption* find_letter(char letter) const {
    for (const LauncherOption& option : syntax_.options)
      if (option.letter == letter && letter != 0) return &option;
    return nullptr;
  }

  bool may_be_short_for_another(std::string_view name) const {
    return std::any_of(syntax_.options.begin(), syntax_.options.end(), [&](const auto& option) {
      return option.name.substr(0, name.size()) == name;
    });
  }

  void add(const LauncherOption& option, std::size_t words_behind, std::string value) {
    if (at_ + words_behind >= argv_.size())
      throw UncertainCommand("the option " + quoted(argv_[at_]) + " of " + argv_.front() +
                             " has no value, so there is no program behind it");
    if (option.effects & effect::elsewhere)
      throw UncertainCommand("with " + quoted(argv_[at_]) + " the program stands in a file");
    given_.push_back({option.name, option.effects, at_, at_ + words_behind, std::move(value)});
    at_ += words_behind + 1;
  }

  std::string word(std::size_t offset) const {
    return at_ + offset < argv_.size() ? argv_[at_ + offset] : "";
  }

  void take_separate(const LauncherOption& option) {
    const bool has_equals = word(1).find('=') != std::string::npos;
    const bool one_setting = option.takes == Takes::setting;
    if (one_setting && !has_equals)
      throw UncertainCommand("found " + quoted(word(1)) + " behind " + quoted(argv_[at_]) +
                             ", expected NAME=VALUE");
    if (option.takes == Takes::none || option.takes == Takes::attached)
      add(option, 0, "");
    else if (option.takes == Takes::one || one_setting ||
             (option.takes == Takes::pair && has_equals))
      add(option, 1, word(1));
    else
      add(option, 2, word(1) + "=" + word(2));
  }

  // --name, --name=value, -name, -name=value
  void take_name() {
    const std::string& whole = argv_[at_];
    const bool two_dashes = whole[1] == '-';
    const std::string_view behind = std::string_view(whole).substr(two_dashes ? 2 : 1);
    const std::size_t equals = behind.find('=');
    const std::string name = plain_name(behind.substr(0, equals));
    const LauncherOption* const option = find(name);
    if (equals == std::string_view::npos) {
      if (option == nullptr) unknown();
      return take_separate(*option);
    }
    const std::string value(behind.substr(equals + 1));
    const bool allowed = syntax_.letters || (two_dashes ? syntax_.equals_after_two_dashes
                                                        : syntax_.equals_after_one_dash);
    if (option != nullptr && allowed &&
        (option->takes == Takes::one || option->takes == Takes::attached))
      return add(*option, 0, value);
    if (option != nullptr || !syntax_.plugins || name.empty() || may_be_short_for_another(name))
      unknown();
    given_.push_back({behind.substr(0, equals), 0, at_, at_, value});
    ++at_;
  }

  // -n4, -n 4, -v, and several letters that take nothing: -vv
  void take_letters() {
    const std::string whole = argv_[at_];
    const LauncherOption* const option = find_letter(whole[1]);
    if (option == nullptr) unknown();
    if (option->takes == Takes::none) return take_flags(whole);
    if (whole.size() > 2) return add(*option, 0, whole.substr(2));
    take_separate(*option);
  }

  void take_flags(const std::string& whole) {
    for (std::size_t i = 1; i < whole.size(); ++i) {
      const LauncherOption* const flag = find_letter(whole[i]);
      if (flag == nullptr || flag->takes != Takes::none) unknown();
      given_.push_back({flag->name, flag->effects, at_, at_, ""});
    }
    ++at_;
  }

  const std::vector<std::string>& argv_;
  std::size_t at_;
  LauncherSyntax syntax_;
  std::vector<GivenOption> given_;
};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// Settings with a name, set by an option that sets any of them, that ask for a binding.
struct BindingSetting {
  std::string_view part;  // of the setting's name
  unsigned effects;
};
constexpr BindingSetting binding_settings[] = {
    {"binding_policy", effect::binds},
    {"cpu_set", effect::binds},
    {"cpu_list", effect::binds},
    {"mapping_policy", effect::maps},
    {"rank_file_path", effect::binds | effect::maps},
    {"I_MPI_PIN", effect::binds},
    {"cpu-affinity", effect::binds},
    {"gpu-affinity", effect::binds_gpus},
    {"mpibind", effect::binds | effect::binds_gpus},
};

unsigned effects_of_setting(std::string_view setting) {
  const std::string_view name = setting.substr(0, setting.find('='));
  for (const BindingSetting& row : binding_settings)
    if (contains(name, row.part)) return row.effects;
  return 0;
}

// What the value of an option adds to its effects, or takes away.
unsigned effects_with_value(unsigned effects, std::string_view value) {
  const std::string lower = to_lower(value);
  if (effects & effect::sets) effects |= effects_of_setting(value);
  if ((effects & effect::maps) && (contains(lower, "pe=") || lower.rfind("rankfile", 0) == 0))
    effects |= effect::binds;
  if (!(effects & (effect::binds | effect::binds_gpus))) return effects;
  const std::string_view last =
      std::string_view(lower).substr(lower.find_last_of(",=") + 1);  // npos + 1 is 0
  if (last == "verbose" || last == "quiet")
    return effects & ~(effect::binds | effect::binds_gpus | effect::isolates);
  const bool no = last == "0" || last == "no" || last == "disable";
  if (last == "none" || last == "off" || (no && (effects & effect::sets)))
    return (effects & ~effect::isolates) | effect::unbound;
  return effects;
}

CommandContext read_context(const std::vector<std::string>& argv, std::size_t at,
                            LauncherKind kind) {
  const LauncherSyntax syntax = launcher_syntax(kind);
  OptionReader reader(argv, at, kind);
  CommandContext context;
  context.first = at;
  context.options = reader.read();
  for (GivenOption& option : context.options)
    option.effects = effects_with_value(option.effects, option.value);
  context.options_end = reader.position();
  std::size_t program = reader.position();
  if (program < argv.size() && argv[program] == "--") {
    if (!syntax.ends_at_two_dashes)
      throw UncertainCommand("it is not certain what \"--\" means to " + argv.front());
    ++program;
  }
  const bool colons = syntax.colon != Colon::argument;
  const auto from = argv.begin() + static_cast<std::ptrdiff_t>(program);
  context.end = static_cast<std::size_t>((colons ? std::find(from, argv.end(), ":") : argv.end()) -
                                         argv.begin());
  if (context.end < argv.size() && syntax.colon == Colon::unknown)
    throw UncertainCommand("it is not certain what \":\" means to " + argv.front());
  if (program < context.end) context.program = program;
  const bool next_has_it = syntax.program_once && context.end < argv.size();
  if (!context.program && !next_has_it)
    throw UncertainCommand("found no program in the command line of " + argv.front());
  return context;
}

std::size_t read_head(const std::vector<std::string>& argv, LauncherKind kind) {
  if (argv.empty()) throw UncertainCommand("an empty command line");
  const std::string_view subcommand = launcher_syntax(kind).subcommand;
  if (subcommand.empty()) return 1;
  const std::string found = argv.size() > 1 ? argv[1] : "";
  if (found != subcommand)
    throw UncertainCommand("found " + quoted(found) + " behind " + argv.front() + ", expected " +
                           quoted(subcommand) + ", which starts the ranks and waits for them");
  return 2;
}

}  // namespace

CommandLine read_command_line(const std::vector<std::string>& argv, LauncherKind kind) {
  CommandLine line;
  line.head = read_head(argv, kind);
  std::size_t at = line.head;
  do {
    line.contexts.push_back(read_context(argv, at, kind));
    at = line.contexts.back().end + 1;
  } while (at <= argv.size());
  return line;
}

unsigned effects_of(const CommandLine& line) {
  unsigned effects = 0;
  for (const CommandContext& context : line.contexts)
    for (const GivenOption& option : context.options) effects |= option.effects;
  return effects;
}

}  // namespace rankmap
