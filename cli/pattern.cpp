// rankmap pattern: what a pattern text means, edge by edge.
#include "patterns/pattern.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <limits>
#include <memory>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "libmap/graph/reader.hpp"
#include "libmap/report/result.hpp"
#include "libmap/report/text_table.hpp"

namespace rankmap::cli {
namespace {

struct Flags {
  AppFlags app;
  std::size_t edges = 64;
  bool all = false;
  bool json = false;
  bool list = false;
  bool comm = false;
};

std::string known_patterns() {
  std::vector<std::vector<std::string>> rows = {{"kind", "what it is"}};
  for (const PatternRow& row : pattern_rows())
    rows.push_back({std::string(row.name), std::string(row.summary)});
  return text_table(rows);
}

std::string answer(const Flags& flags) {
  if (flags.list) return known_patterns();
  const CommGraph app = read_app(app_text_of(flags.app));
  if (flags.comm) return write_comm(app);
  const std::size_t shown = flags.all ? std::numeric_limits<std::size_t>::max() : flags.edges;
  return flags.json ? app_json(app, shown) : app_text(app, shown);
}

}  // namespace

Action setup_pattern(CLI::App& app, const Context&) {
  const auto flags = std::make_shared<Flags>();
  add_app_flags(app, flags->app);
  app.add_flag("--list", flags->list, "list the kinds of patterns");
  app.add_option("--edges", flags->edges, "most edges to print")->capture_default_str();
  app.add_flag("--all", flags->all, "print every edge");
  app.add_flag("--comm", flags->comm, "print as a communication graph file (for file:PATH)");
  app.add_flag("--json", flags->json, "print JSON");
  return [flags] {
    const std::string text = answer(*flags);
    std::fwrite(text.data(), 1, text.size(), stdout);
    return 0;
  };
}

}  // namespace rankmap::cli
