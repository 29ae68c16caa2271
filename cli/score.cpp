// rankmap score: what maps are worth, side by side.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "libmap/base/error.hpp"
#include "libmap/base/files.hpp"
#include "libmap/mapping/read/map_reader.hpp"
#include "libmap/report/result.hpp"
#include "patterns/pattern.hpp"

namespace rankmap::cli {
namespace {

struct ScoreFlags {
  AppFlags app;
  MachineFlags machine;
  std::vector<std::string> maps;
  std::string format;
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
    const Mapping mapping = read_mapping(read_text(file), file, flags.format, machine);
    if (mapping.ranks() != app.ranks())
      throw InputError({file, 0, 0}, "the map has " + std::to_string(mapping.ranks()) +
                                         " ranks, but the app has " + std::to_string(app.ranks()));
    scored.push_back(
        {file, score(app, machine, mapping, options), phase_communicators(app, machine, mapping)});
  }
  const std::string text = flags.json ? scores_json(app, machine, scored)
                                      : scores_text(scored) + communicators_text(app, scored);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return 0;
}

}  // namespace

Action setup_score(CLI::App& app, const Context& context) {
  const auto flags = std::make_shared<ScoreFlags>();
  add_app_flags(app, flags->app);
  add_machine_flags(app, flags->machine, true);
  app.add_option("--map", flags->maps,
                 "maps, compared side by side: map files, rankfiles, MPICH_RANK_ORDER, Blue Gene "
                 "map files, SLURM_HOSTFILE, CSV")
      ->required()
      ->type_name("FILE");
  std::string formats;
  for (const MapFormat& row : map_formats())
    formats += (formats.empty() ? "" : "|") + std::string(row.name);
  app.add_option("--format", flags->format, "of all maps, else found by content: " + formats)
      ->type_name("NAME");
  app.add_option("--busy", flags->busy, "slots that are not free for preserved")->type_name("LIST");
  app.add_option("--preserve-counts", flags->preserve, "what preserved counts")
      ->check(CLI::IsMember({"all", "nvlink"}))
      ->capture_default_str();
  app.add_flag("--force", flags->force, "give mapa2021 outside its range too");
  app.add_flag("--json", flags->json, "print JSON");
  return [flags, &context] { return score_action(*flags, context); };
}

}  // namespace rankmap::cli
