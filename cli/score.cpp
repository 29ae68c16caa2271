// rankmap score: what maps are worth, side by side.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "libmap/base/error.hpp"
#include "libmap/base/files.hpp"
#include "libmap/mapping/map_file.hpp"
#include "libmap/report/result.hpp"
#include "patterns/pattern.hpp"

namespace rankmap::cli {
namespace {

struct ScoreFlags {
  AppFlags app;
  MachineFlags machine;
  std::vector<std::string> maps;
  std::string busy;
  std::string preserve = "all";
  bool force = false;
  bool json = false;
};

int score_action(const ScoreFlags& flags, const Context& context) {
  const CommGraph app = read_app(app_text_of(flags.app));
  const Machine machine = machine_of(flags.machine, context, flags.json);
  ScoreOptions options;
  options.busy = parse_slots(flags.busy, "--busy");
  options.preserve = flags.preserve == "nvlink" ? PreserveCounts::nvlink : PreserveCounts::all;
  options.force_mapa2021 = flags.force;
  std::vector<ScoredMap> scored;
  for (const std::string& file : flags.maps) {
    const MapFile map = read_map(read_text(file), file);
    if (static_cast<Rank>(map.rows.size()) != app.ranks())
      throw InputError({file, 0, 0}, "the map has " + std::to_string(map.rows.size()) +
                                         " ranks, but the app has " + std::to_string(app.ranks()));
    scored.push_back({file, score(app, machine, mapping_of(map, machine), options)});
  }
  const std::string text = flags.json ? scores_json(app, machine, scored) : scores_text(scored);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return 0;
}

}  // namespace

Action setup_score(CLI::App& app, const Context& context) {
  const auto flags = std::make_shared<ScoreFlags>();
  add_app_flags(app, flags->app);
  add_machine_flags(app, flags->machine, true);
  app.add_option("--map", flags->maps, "map files, compared side by side")
      ->required()
      ->type_name("FILE");
  app.add_option("--busy", flags->busy, "slots that are not free for preserved")->type_name("LIST");
  app.add_option("--preserve-counts", flags->preserve, "what preserved counts")
      ->check(CLI::IsMember({"all", "nvlink"}))
      ->capture_default_str();
  app.add_flag("--force", flags->force, "give mapa2021 outside its range too");
  app.add_flag("--json", flags->json, "print JSON");
  return [flags, &context] { return score_action(*flags, context); };
}

}  // namespace rankmap::cli
