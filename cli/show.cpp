// rankmap show: a machine, an app, a map, or several maps side by side, as text; maps also as a
// page.
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
#include "libmap/mapping/read/map_reader.hpp"
#include "libmap/report/graph_picture.hpp"
#include "libmap/report/html/page.hpp"
#include "libmap/report/maps_text.hpp"
#include "libmap/report/result.hpp"
#include "patterns/pattern.hpp"
#include "patterns/recognise.hpp"

namespace rankmap::cli {
namespace {

enum class Kind { map, machine, app };

struct Flags {
  std::vector<std::string> what;
  std::string app;
  MachineFlags machine;
  std::string html, svg;  // files to write
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

// One WHAT that is a machine.
int write_machine_pictures(const Flags& flags, const Context& context) {
  MachineFlags machine_flags;
  machine_flags.spec = flags.what.front();
  const Machine machine = machine_of(machine_flags, context, false);
  if (!flags.html.empty()) write_text(flags.html, html_machine_page(machine));
  if (!flags.svg.empty()) write_text(flags.svg, node_svg(machine));
  return 0;
}

// Every WHAT is a map, in any format that `score` reads.
int write_pictures(const Flags& flags, const Context& context) {
  const bool alone = flags.what.size() == 1 && flags.app.empty() && flags.machine.spec.empty();
  if (alone && kind_of(flags.what.front()) == Kind::machine)
    return write_machine_pictures(flags, context);
  if (flags.app.empty() || flags.machine.spec.empty())
    throw UsageError("--html and --svg draw the traffic of maps: expected --app and --machine too");
  const CommGraph app = read_app(flags.app);
  const Machine machine = machine_of(flags.machine, context, false);
  std::vector<MappingTraffic> mappings;
  for (const std::string& file : flags.what) {
    const NamedMapping named{file, read_mapping(read_text(file), file, "", machine)};
    if (named.mapping.ranks() != app.ranks())
      throw InputError({file, 0, 0}, "the map has " + std::to_string(named.mapping.ranks()) +
                                         " ranks, but the app has " + std::to_string(app.ranks()));
    mappings.push_back(traffic_of(app, machine, named));
  }
  if (!flags.html.empty()) write_text(flags.html, html_page(app, machine, mappings));
  if (!flags.svg.empty()) write_text(flags.svg, traffic_svg(machine, mappings));
  return 0;
}

int show_action(const Flags& flags, const Context& context) {
  if (!flags.html.empty() || !flags.svg.empty()) return write_pictures(flags, context);
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
  app.add_option("--html", flags->html,
                 "write a page about the machine WHAT, or about the traffic of the maps WHAT (with "
                 "--app and --machine): scores, torus minimaps, nodes, hottest links and the ranks "
                 "that load them")
      ->type_name("FILE");
  app.add_option("--svg", flags->svg,
                 "write the node alone, or of maps the minimaps of a torus or mesh")
      ->type_name("FILE");
  app.add_option("--app", flags->app, "the app of --html and --svg: a pattern or a graph file")
      ->type_name("APP");
  add_machine_flags(app, flags->machine, false);
  return [flags, &context] { return show_action(*flags, context); };
}

}  // namespace rankmap::cli
