// rankmap show: a machine, an app, a map, or several maps side by side, as text.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "libmap/base/error.hpp"
#include "libmap/base/files.hpp"
#include "libmap/base/text.hpp"
#include "libmap/graph/foreign/formats.hpp"
#include "libmap/graph/reader.hpp"
#include "libmap/machine/network/networks.hpp"
#include "libmap/machine/reader.hpp"
#include "libmap/mapping/map_file.hpp"
#include "libmap/report/graph_picture.hpp"
#include "libmap/report/maps_text.hpp"
#include "libmap/report/result.hpp"
#include "patterns/pattern.hpp"
#include "patterns/recognise.hpp"

namespace rankmap::cli {
namespace {

enum class Kind { map, machine, app };

struct Flags {
  std::vector<std::string> what;
};

// By content: a map, a machine, a communication graph, in this order.
Kind kind_of_file(const std::string& path) {
  constexpr Bytes largest_graph = Bytes{1} << 30;
  const std::string text = read_text(path, largest_graph);
  if (text.starts_with("# rankmap 1 ")) return Kind::map;
  const auto knows = [&](const auto& row) { return row.recognises(text); };
  if (std::any_of(node_readers().begin(), node_readers().end(), knows)) return Kind::machine;
  return std::any_of(graph_formats().begin(), graph_formats().end(), knows) ? Kind::app
                                                                            : Kind::machine;
}

// A file or folder by its content; a name that is no pattern is a machine.
Kind kind_of(const std::string& what) {
  if (is_regular_file(what)) return kind_of_file(what);
  if (is_recording_folder(what)) return Kind::app;
  const std::string word = what.substr(0, what.find(':'));
  // tree:4:8:6 is a network, tree:4 a pattern.
  if (is_network_text(what) && what.find(':', word.size() + 1) != what.npos) return Kind::machine;
  for (const PatternRow& row : pattern_rows())
    if (row.name == word && word.size() < what.size()) return Kind::app;
  return Kind::machine;
}

// "looks like" in words: the likest patterns and how well they fit.
std::string likeness_text(const CommGraph& graph) {
  constexpr std::size_t most = 3;
  constexpr double worth_telling = 0.5;
  std::string text;
  for (const Likeness& like : recognise(graph, most)) {
    if (like.fit < worth_telling) break;
    const auto percent = [](double part) { return std::to_string(std::lround(part * 100)) + " %"; };
    text += (text.empty() ? "looks like " : "        or ") + like.pattern + ": fits " +
            percent(like.fit) + " (" + percent(like.bytes_explained) +
            " of the bytes on its pairs, " + percent(like.pairs_used) + " of its pairs used)\n";
    if (like.fit > 0.999) break;
  }
  return text.empty() ? "looks like no pattern that rankmap knows\n" : text;
}

std::string shown_app(const CommGraph& graph, bool file) {
  constexpr std::size_t most_edges = 64;
  std::string text = app_text(graph, most_edges) + "\n" + graph_picture(graph);
  if (!file) return text;
  return text + likeness_text(graph) + messages_text(graph);
}

std::string shown(const std::string& what, Kind kind, const Context& context) {
  if (kind == Kind::app)
    return is_regular_file(what) || is_recording_folder(what)
               ? shown_app(read_comm_graph(what), true)
               : shown_app(read_app(what), what.starts_with("file:"));
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
  app.add_option("WHAT", flags->what,
                 "map files, machines (as for -m), apps (ring:4) and recorded apps (app.comm)")
      ->required();
  return [flags, &context] { return show_action(*flags, context); };
}

}  // namespace rankmap::cli
