#include "libmap/machine/read/xpu_smi.hpp"

#include <algorithm>
#include <array>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/machine/link_speeds.hpp"
#include "libmap/machine/read/affinity.hpp"
#include "libmap/machine/read/path_tree.hpp"
#include "libmap/machine/read/source_name.hpp"

namespace rankmap {
namespace {

constexpr double xelink_lane_gbps = 13.3;  // one of four lanes of a port, one direction
constexpr double tile_gbps = 230.0;        // between the tiles of a card; not in any output we read
constexpr int assumed_pcie_generation = 5;
constexpr std::array plain_tokens = {"S", "MDF", "XL*", "PIX", "PXB", "PHB", "NODE", "SYS"};

int xelink_lanes(std::string_view token) {
  if (!token.starts_with("XL")) return 0;
  const std::optional<std::int64_t> lanes = parse_integer(token.substr(2));
  return lanes && *lanes > 0 && *lanes < 1000 ? static_cast<int>(*lanes) : 0;
}

bool is_token(std::string_view word) {
  return xelink_lanes(word) > 0 ||
         std::find(plain_tokens.begin(), plain_tokens.end(), word) != plain_tokens.end();
}

struct Tile {
  std::string name;  // "0/1", of cards without tiles "0"
  int card = 0;
};

std::optional<Tile> tile_of(std::string_view word) {
  const std::vector<std::string_view> parts = split(word, '/');
  if (parts.size() > 2) return std::nullopt;
  for (const std::string_view part : parts) {
    const std::optional<std::int64_t> number = parse_integer(part);
    if (!number || *number < 0 || *number > 65535) return std::nullopt;
  }
  return Tile{std::string(word), static_cast<int>(*parse_integer(parts[0]))};
}

struct Row {
  Tile tile;
  std::size_t line = 0;
  std::vector<std::string> words;  // behind the tile
};

// "GPU 0/0 |S |MDF |0-23" -> tile and words; also a header, whose words begin with "GPU".
std::optional<Row> row_of(std::string_view line, std::size_t number) {
  std::string plain;
  for (const char c : line) plain += c == '|' ? ' ' : c;
  const std::vector<std::string_view> words = split_words(plain);
  if (words.size() < 3 || words[0] != "GPU") return std::nullopt;
  std::optional<Tile> tile = tile_of(words[1]);
  if (!tile) return std::nullopt;
  return Row{std::move(*tile), number, {words.begin() + 2, words.end()}};
}

bool is_matrix_row(const Row& row) {
  return std::find(row.words.begin(), row.words.end(), "S") != row.words.end();
}

// The tiles that a header line names; empty: not a header.
std::vector<std::string> header_tiles(const Row& row) {
  std::vector<std::string> tiles = {row.tile.name};
  for (std::size_t i = 0; i < row.words.size(); i += 2) {
    const bool title = row.words[i] == "CPU" && i + 1 < row.words.size();
    if (title && row.words[i + 1] == "Affinity") return tiles;
    if (row.words[i] != "GPU" || i + 1 == row.words.size() || !tile_of(row.words[i + 1])) return {};
    tiles.push_back(row.words[i + 1]);
  }
  return tiles;
}

class Matrix {
 public:
  Matrix(std::string_view text, const std::string& source) : source_(source) {
    std::size_t number = 0;
    for (const std::string_view line : split_lines(text)) {
      ++number;
      std::optional<Row> row = row_of(trim(line), number);
      if (!row && !rows_.empty()) break;
      if (!row) continue;
      if (is_matrix_row(*row))
        rows_.push_back(std::move(*row));
      else if (rows_.empty())
        header_ = header_tiles(*row);
      else
        break;
    }
    if (rows_.empty())
      throw InputError({source_, 0, 0},
                       "found no rows of tiles, expected the output of `xpu-smi topology -m`");
    check();
  }

  NodeModel model() const {
    NodeModel model;
    model.name = name_of_source(source_);
    model.source_format = "xpu-smi";
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      Gpu gpu;
      gpu.package = rows_[i].tile.card;
      if (gpu.package != static_cast<int>(i)) gpu.device = gpu.package;
      if (rows_[i].words.size() > rows_.size()) gpu.cpu_affinity = rows_[i].words[rows_.size()];
      model.gpus.push_back(std::move(gpu));
      std::vector<std::string> cells(
          rows_[i].words.begin(),
          rows_[i].words.begin() + static_cast<std::ptrdiff_t>(rows_.size()));
      cells[i] = "X";
      model.gpu_matrix.push_back(std::move(cells));
    }
    if (header_.empty())
      model.warn("the header line is missing: the columns are taken in the order of the rows");
    return model;
  }

 private:
  void check() const {
    const std::size_t tiles = rows_.size();
    if (tiles > most_xpu_tiles)
      fail(rows_[0], "found " + std::to_string(tiles) + " tiles, expected at most " +
                         std::to_string(most_xpu_tiles));
    if (!header_.empty()) check_header();
    for (std::size_t i = 0; i < tiles; ++i) {
      const Row& row = rows_[i];
      const std::string name = "row GPU " + row.tile.name;
      if (row.words.size() < tiles)
        fail(row, name + ": found " + std::to_string(row.words.size()) + " cells, expected " +
                      std::to_string(tiles));
      for (std::size_t j = 0; j < tiles; ++j) {
        const std::string column = name + ", column GPU " + rows_[j].tile.name + ": found " +
                                   quoted(row.words[j]) + ", expected ";
        if (!is_token(row.words[j])) fail(row, column + "S, MDF, XL and a number, NODE or SYS");
        if ((row.words[j] == "S") != (i == j)) fail(row, column + "S on the diagonal only");
      }
    }
    check_symmetry();
  }

  void check_header() const {
    std::vector<std::string> missing;
    for (std::size_t i = 0; i < header_.size(); ++i)
      if (i >= rows_.size() || rows_[i].tile.name != header_[i])
        missing.push_back("GPU " + header_[i]);
    if (!missing.empty() || rows_.size() != header_.size())
      fail(rows_.back(), "the header names " + std::to_string(header_.size()) +
                             " tiles, but no row in its place was found for " +
                             (missing.empty() ? "others" : join(missing, ", ")));
  }

  void check_symmetry() const {
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (rows_[i].words[j] != rows_[j].words[i])
          fail(rows_[i], "row GPU " + rows_[i].tile.name + ", column GPU " + rows_[j].tile.name +
                             ": found " + quoted(rows_[i].words[j]) + ", but the other way round " +
                             quoted(rows_[j].words[i]) + "; expected a symmetric matrix");
  }

  [[noreturn]] void fail(const Row& row, const std::string& what) const {
    throw InputError({source_, row.line, 1}, what);
  }

  const std::string& source_;
  std::vector<std::string> header_;
  std::vector<Row> rows_;
};

void add_links(NodeModel& model) {
  bool starred = false;
  bool tiles = false;
  for (VertexId a = 0; a < model.slots(); ++a)
    for (VertexId b = a + 1; b < model.slots(); ++b) {
      const std::string& token =
          model.gpu_matrix[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
      const int lanes = xelink_lanes(token);
      starred = starred || token == "XL*";
      tiles = tiles || token == "MDF";
      if (lanes > 0)
        model.connections.push_back({LinkKind::xelink, a, b, lanes,
                                     from_gbps(xelink_lane_gbps * lanes),
                                     from_gbps(xelink_lane_gbps)});
      if (token == "MDF")
        model.connections.push_back({LinkKind::xelink, a, b, 1, from_gbps(tile_gbps), 0});
    }
  if (tiles)
    model.warn("the speed between tiles of a card is not in the text: " + format_real(tile_gbps) +
               " GB/s assumed");
  if (starred)
    model.warn(
        "pairs marked XL* have no Xe Link of their own but go through another tile: they "
        "are joined over PCIe here");
}

PathLevel level_of(const NodeModel& model, std::size_t a, std::size_t b) {
  const std::optional<PathLevel> level = path_level_of(model.gpu_matrix[a][b]);
  if (level) return *level;
  const Gpu& first = model.gpus[a];
  const Gpu& second = model.gpus[b];
  if (first.package == second.package) return PathLevel::one_switch;
  const bool apart = first.cpus && second.cpus && first.cpus != second.cpus;
  return apart ? PathLevel::system : PathLevel::numa_node;
}

void add_host_tree(NodeModel& model) {
  std::vector<DevicePath> paths;
  for (std::size_t a = 0; a < model.gpus.size(); ++a)
    for (std::size_t b = a + 1; b < model.gpus.size(); ++b)
      paths.push_back({a, b, level_of(model, a, b)});
  const LinkSpeed pcie = pcie_speed(assumed_pcie_generation, 16);
  const LinkSpeed cpu = cpu_link_speed("", 0, 0);
  build_path_tree(model, paths,
                  {from_gbps(pcie.gbps), from_gbps(cpu.gbps), from_gbps(cpu.nccl_gbps)});
  model.warn("speeds of PCIe and of the CPU link are not in the text: " + format_real(pcie.gbps) +
             " GB/s (x16 gen5) and " + format_real(cpu.gbps) + " GB/s assumed");
}

}  // namespace

bool recognises_xpu_smi(std::string_view text) {
  if (text.find("GPU ") == text.npos) return false;
  for (const std::string_view line : split_lines(text)) {
    const std::optional<Row> row = row_of(trim(line), 0);
    if (row && is_matrix_row(*row)) return true;
  }
  return false;
}

NodeModel read_xpu_smi(std::string_view text, const std::string& source, const ReaderOptions&) {
  NodeModel model = Matrix(text, source).model();
  apply_affinity(model);
  add_links(model);
  add_host_tree(model);
  return model;
}

}  // namespace rankmap
