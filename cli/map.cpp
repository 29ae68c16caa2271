// rankmap map: app + machine -> mapping with score, bound and gap.
#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <memory>

#include "cli/command.hpp"
#include "cli/export_output.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "libmap/base/deadline.hpp"
#include "libmap/base/error.hpp"
#include "libmap/base/files.hpp"
#include "libmap/base/text.hpp"
#include "libmap/machine/shared_files.hpp"
#include "libmap/mapping/map_file.hpp"
#include "libmap/report/result.hpp"
#include "patterns/pattern.hpp"

namespace rankmap::cli {
namespace {

struct MapFlags {
  AppFlags app;
  MachineFlags machine;
  std::string objective;
  std::string model = "ring";
  std::string preserve = "all";
  std::string strategy = "auto";
  std::string script;
  std::string busy;
  std::string fix;
  std::string launcher;
  std::string output;
  std::string quality;
  std::string seed = "0";
  double time_limit_seconds = 0;
  int top = 0;
  int ranks_per_slot = 1;
  double imbalance = 0.03;
  double min_gain_percent = 0;
  bool force = false;
  bool explain = false;
  bool json = false;
};

void add_options(CLI::App& app, MapFlags& flags) {
  add_app_flags(app, flags.app);
  add_machine_flags(app, flags.machine, true);
  std::string objectives;
  for (const ObjectiveRow& row : objective_rows())
    objectives += std::string(objectives.empty() ? "" : "|") + row.name;
  app.add_option("--objective", flags.objective,
                 objectives +
                     ", or a list: among mappings equal by the first, the best by the next "
                     "(effbw where the job fits one GPU node, else congestion)")
      ->type_name("NAME,...");
  app.add_option("--effbw", flags.model, "model of effbw: ring|tree|mapa2021")
      ->capture_default_str()
      ->type_name("NAME");
  app.add_option("--preserve-counts", flags.preserve, "what preserved counts")
      ->check(CLI::IsMember({"all", "nvlink"}))
      ->capture_default_str();
  std::string strategies;
  for (const StrategyRow& row : strategy_rows())
    strategies += std::string(strategies.empty() ? "" : "|") + row.name;
  app.add_option("--strategy", flags.strategy, strategies)
      ->capture_default_str()
      ->type_name("NAME");
  app.add_option("--script", flags.script,
                 "of the strategy box: a file of operations on boxes of ranks, -, or a name of "
                 "share/patterns (without one, box searches for the best)")
      ->type_name("FILE");
  app.add_flag("--explain", flags.explain, "say on stderr what each line of the script did");
  app.add_option("--busy", flags.busy, "slots that may not be used: 0,3")->type_name("LIST");
  app.add_option("--fix", flags.fix, "ranks that must sit where given: 0=3,1=2")
      ->type_name("RANK=SLOT,...");
  app.add_option("--ranks-per-slot", flags.ranks_per_slot, "most ranks on one slot")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  app.add_option("--imbalance", flags.imbalance,
                 "where more ranks share a bare network: how much more than its share a slot takes")
      ->check(CLI::Range(0.0, 1000.0))
      ->capture_default_str();
  app.add_option("--quality", flags.quality,
                 "of multilevel and cartesian: fast|medium|strong (medium; fast above 600 ranks; "
                 "auto goes on to better ones as long as --time-limit allows)")
      ->type_name("NAME");
  app.add_option("--seed", flags.seed, "seed of everything random")->capture_default_str();
  app.add_option("--time-limit", flags.time_limit_seconds,
                 "seconds; the best found so far is given with its gap (exact: 10)")
      ->check(CLI::Range(0.0, 1e8))
      ->type_name("SECONDS");
  app.add_option("--min-gain", flags.min_gain_percent,
                 "auto keeps the launcher's default order where the gain over it is below this")
      ->check(CLI::Range(0.0, 1e6))
      ->type_name("PERCENT");
  app.add_option("--top", flags.top, "also list the N best sets of slots")
      ->check(CLI::Range(0, 100000))
      ->type_name("N");
  app.add_flag("--force", flags.force, "use mapa2021 outside its range");
  app.add_option("--for", flags.launcher,
                 "print in the format of this launcher, with its command line: " + format_names())
      ->type_name("LAUNCHER");
  app.add_option("-o,--output", flags.output, "write the map (or the launcher's file) here")
      ->type_name("FILE");
  app.add_flag("--json", flags.json, "print JSON");
}

PlaceRequest request_of(const MapFlags& flags, const CLI::App& app, const CommGraph& graph,
                        const Machine& machine) {
  PlaceRequest request;
  request.app = &graph;
  request.machine = &machine;
  if (flags.objective.empty())
    request.objective.kind = default_objective(graph, machine, flags.ranks_per_slot);
  else
    request.objective = parse_objective(flags.objective);
  request.objective.model = effbw_model_of(flags.model);
  request.objective.preserve =
      flags.preserve == "nvlink" ? PreserveCounts::nvlink : PreserveCounts::all;
  request.forbidden = parse_slots(flags.busy, "--busy");
  request.fixed = parse_fixed(flags.fix);
  request.ranks_per_slot = flags.ranks_per_slot;
  request.imbalance = flags.imbalance;
  const std::optional<std::uint64_t> seed = parse_unsigned(flags.seed);
  if (!seed)
    throw UsageError("--seed: found " + rankmap::quoted(flags.seed) + ", expected 0 to 2^64 - 1");
  request.seed = *seed;
  if (std::isnan(flags.time_limit_seconds))
    throw UsageError("--time-limit: found nan, expected seconds");
  if (app.count("--time-limit") != 0) request.time_limit_seconds = flags.time_limit_seconds;
  if (!flags.quality.empty()) request.quality = quality_named(flags.quality);
  request.min_gain = flags.min_gain_percent / 100;
  request.top = flags.top;
  request.force = flags.force;
  return request;
}

BoxScript script_of(const MapFlags& flags, const Context& context) {
  if (flags.script.empty()) {
    if (flags.explain && flags.strategy != "box")
      throw UsageError("--explain tells of a script, expected --script or --strategy box");
    return {};
  }
  std::string path = flags.script;
  if (path != "-" && !is_readable_file(path))
    path = shared_file(context.share_directory, "patterns", flags.script, ".box");
  if (path.empty())
    throw UsageError("--script: found no file " + rankmap::quoted(flags.script) +
                     " that can be read, nor a script of that name in " +
                     rankmap::quoted(context.share_directory + "/patterns"));
  return {read_text(path), flags.script == "-" ? "stdin" : path};
}

// The grid that the app's text tells: that of the part with the most dimensions.
std::vector<std::int64_t> app_extents(const std::string& text) {
  std::vector<std::int64_t> extents;
  for (const std::vector<PatternTerm>& terms : parse_pattern(text).phases)
    for (const PatternTerm& term : terms)
      if (static_cast<std::size_t>(term.shape.dimensions) > extents.size())
        extents.assign(term.shape.extent.begin(),
                       term.shape.extent.begin() + term.shape.dimensions);
  return extents;
}

// A script asks for the strategy that runs it.
std::string strategy_of(const MapFlags& flags, const CLI::App& app) {
  if (flags.script.empty()) return flags.strategy;
  if (app.count("--strategy") != 0 && flags.strategy != "box")
    throw UsageError("--script is of the strategy box, found the strategy " +
                     rankmap::quoted(flags.strategy));
  return "box";
}

// What the order that launchers give by themselves would be worth; nullopt: it does not fit, say
// because a rank is fixed elsewhere.
std::optional<double> default_order_value(PlaceRequest request) {
  request.top = 0;
  request.fixed.clear();
  request.bounded = false;
  return place("linear", request).value;
}

MapResult result_of(const PlaceRequest& request, const std::string& strategy) {
  MapResult result;
  result.app = request.app;
  result.machine = request.machine;
  result.objective = request.objective;
  const Stopwatch watch;
  result.placed = place(strategy, request);
  result.seconds = watch.seconds();
  ScoreOptions options;
  options.preserve = request.objective.preserve;
  options.busy = request.forbidden;
  options.force_mapa2021 = request.force;
  result.score = score(*request.app, *request.machine, result.placed.mapping, options);
  result.with_top = request.top > 0;
  result.default_value = default_order_value(request);
  return result;
}

// Says on stderr when a map is hardly worth its while.
void tell_gain(const MapResult& result) {
  constexpr double worth_telling = 1.02;
  const std::optional<double> times =
      times_better(result.objective.kind, result.placed.value, result.default_value);
  if (!times || *times >= worth_telling || result.placed.strategy == "linear") return;
  std::fprintf(stderr, "rankmap: note: the gain over the launcher's default order is %s\n",
               *times < 1 ? "negative: that order is better" : "under 2 %");
}

void tell_unproven(const PlaceResult& placed) {
  if (placed.strategy == "exact" && !placed.optimal)
    warn("the optimum is not proven (the time limit, or too large for a proof); see the gap");
}

// Writes what -o asks for; gives the export of --for, if any. Beside a launcher's file goes the map
// itself, FILE.rankmap: the wrapper in the command line reads it.
std::optional<Export> write_outputs(const MapFlags& flags, const MapFile& map,
                                    const Machine& machine) {
  const bool to_file = !flags.output.empty() && flags.output != "-";
  if (flags.launcher.empty()) {
    if (!flags.output.empty()) write_text(flags.output, write_map(map));
    return std::nullopt;
  }
  ExportOptions options;
  if (machine.hosts_named())
    for (NodeId node = 0; node < machine.nodes(); ++node)
      options.hosts.push_back(machine.host(node));
  if (to_file) {
    options.file_name = flags.output;
    if (flags.launcher != "rankmap") options.map_path = flags.output + ".rankmap";
  }
  Export written = export_map(map, flags.launcher, options);
  if (to_file) {
    write_text(flags.output, written.text);
    if (flags.launcher != "rankmap") write_text(options.map_path, write_map(map));
    write_more(written, flags.output);
  }
  if (!to_file && flags.launcher != "rankmap")
    written.notes.push_back("save this as " + written.file_name + " and the map as " +
                            options.map_path + "; -o FILE writes both");
  return written;
}

int map_action(const MapFlags& flags, const CLI::App& app, const Context& context) {
  const CommGraph graph = read_app(app_text_of(flags.app));
  const Machine machine = machine_of(flags.machine, context, flags.json);
  PlaceRequest request = request_of(flags, app, graph, machine);
  ProgressLine progress;
  request.progress = progress.teller();
  request.script = script_of(flags, context);
  request.app_extents = app_extents(app_text_of(flags.app));
  const MapResult result = result_of(request, strategy_of(flags, app));
  progress.clear();
  if (flags.explain)
    for (const std::string& step : result.placed.steps) std::fprintf(stderr, "%s\n", step.c_str());
  tell_unproven(result.placed);
  const std::string objective = objective_text(result.objective);
  const MapFile map = map_file_of(result.placed.mapping, machine, objective);
  const std::optional<Export> written = write_outputs(flags, map, machine);
  if (written && !flags.json) {
    print_export(*written, flags.output);
    return 0;
  }
  if (flags.output == "-") return 0;
  const std::string text = flags.json ? map_json(result, written) : map_text(result);
  std::fwrite(text.data(), 1, text.size(), stdout);
  tell_gain(result);
  return 0;
}

int infeasible(const MapFlags& flags, const Infeasible& error) {
  if (!flags.json) throw error;
  const std::string text = infeasible_json(error.what());
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fprintf(stderr, "rankmap: %s\n", error.what());
  return static_cast<int>(ExitCode::infeasible);
}

}  // namespace

Action setup_map(CLI::App& app, const Context& context) {
  const auto flags = std::make_shared<MapFlags>();
  add_options(app, *flags);
  return [flags, &app, &context] {
    try {
      return map_action(*flags, app, context);
    } catch (const Infeasible& error) {
      return infeasible(*flags, error);
    }
  };
}

}  // namespace rankmap::cli
