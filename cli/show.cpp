// rankmap show: a machine, an app, a map, or several maps side by side, as text.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "libmap/base/error.hpp"
#include "libmap/base/files.hpp"
#include "libmap/base/text.hpp"
#include "libmap/mapping/map_file.hpp"
#include "libmap/report/maps_text.hpp"
#include "libmap/report/result.hpp"
#include "patterns/pattern.hpp"

namespace rankmap::cli {
namespace {

enum class Kind { map, machine, app };

struct Flags {
  std::vector<std::string> what;
};

// A file that begins as a map file is one; any other file, and every name that is no pattern, is a
// machine.
Kind kind_of(const std::string& what) {
  if (is_regular_file(what))
    return read_text(what).starts_with("# rankmap 1 ") ? Kind::map : Kind::machine;
  const std::string word = what.substr(0, what.find(':'));
  for (const PatternRow& row : pattern_rows())
    if (row.name == word && word.size() < what.size()) return Kind::app;
  return Kind::machine;
}

std::string shown(const std::string& what, Kind kind, const Context& context) {
  constexpr std::size_t most_edges = 64;
  if (kind == Kind::app) return app_text(read_app(what), most_edges);
  MachineFlags flags;
  flags.spec = what;
  return machine_text(machine_of(flags, context, true));
}

int show_action(const Flags& flags, const Context& context) {
  std::vector<NamedMap> maps;
  for (const std::string& what : flags.what) {
    const Kind kind = kind_of(what);
    if (kind == Kind::map) {
      maps.push_back({what, read_map(read_text(what), what)});
      continue;
    }
    const std::string text = shown(what, kind, context);
    std::fwrite(text.data(), 1, text.size(), stdout);
  }
  const std::string text = maps_text(maps);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return 0;
}

}  // namespace

Action setup_show(CLI::App& app, const Context& context) {
  const auto flags = std::make_shared<Flags>();
  app.add_option("WHAT", flags->what, "map files, machines (as for -m), apps (ring:4)")->required();
  return [flags, &context] { return show_action(*flags, context); };
}

}  // namespace rankmap::cli
