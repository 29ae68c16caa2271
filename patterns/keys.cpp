#include "patterns/keys.hpp"

#include <algorithm>

#include "libmap/base/text.hpp"
#include "libmap/base/units.hpp"

namespace rankmap {
namespace {

constexpr std::string_view letters = "xyztuv";
constexpr std::int64_t largest_weight = 1'000'000'000;
constexpr std::int64_t largest_count = std::int64_t{1} << 62;

using Names = std::vector<std::string>;

[[noreturn]] void refuse(const GivenKey& key, const std::string& expected) {
  throw InputError(key.value_where, std::string(key.name) + " is " +
                                        quoted(key.value.value_or("")) + ", expected " + expected);
}

std::int64_t whole_number(const GivenKey& key, std::int64_t low, std::int64_t high) {
  const std::optional<std::int64_t> value = parse_integer(*key.value);
  if (!value || *value < low || *value > high)
    refuse(key, "a whole number of " + std::to_string(low) + " to " + std::to_string(high));
  return *value;
}

// "x, y, z" of the first so many dimensions.
std::string letters_of(int dimensions) {
  Names names;
  for (const char letter : letters.substr(0, static_cast<std::size_t>(dimensions)))
    names.emplace_back(1, letter);
  return join(names, ", ");
}

int dimension(const PatternTerm& term, const GivenKey& key, char name) {
  const std::size_t letter = letters.find(name);
  const int d = letter != std::string_view::npos ? static_cast<int>(letter) : name - '0';
  if (d < 0 || d >= term.shape.dimensions)
    refuse(key, "dimensions out of " + letters_of(term.shape.dimensions) + " or digits from 0");
  return d;
}

DimensionSet dimension_set(const PatternTerm& term, const GivenKey& key) {
  DimensionSet set = 0;
  for (const char name : *key.value) {
    const DimensionSet bit = DimensionSet{1} << dimension(term, key, name);
    if ((set & bit) != 0) refuse(key, "every dimension once");
    set |= bit;
  }
  if (set == 0) refuse(key, "dimensions out of " + letters_of(term.shape.dimensions));
  return set;
}

void set_bytes(PatternTerm& term, const GivenKey& key) {
  const std::optional<Bytes> bytes = parse_bytes(*key.value);
  if (!bytes) refuse(key, "a size such as 4096, 64KiB or 1.5GB");
  term.bytes = *bytes;
}

void set_messages(PatternTerm& term, const GivenKey& key) {
  term.messages = static_cast<std::uint64_t>(whole_number(key, 1, largest_count));
}

void set_weight(PatternTerm& term, const GivenKey& key) {
  term.weight = static_cast<std::uint32_t>(whole_number(key, 1, largest_weight));
}

// The stencils that have a name by their number of points, the rank itself included (but 14).
void set_points(PatternTerm& term, const GivenKey& key) {
  const int dimensions = term.shape.dimensions;
  if (term.face || term.corner || term.all)
    throw InputError(key.where, "points beside face, corner or all, expected one or the other");
  if (dimensions > 3)
    throw InputError(key.where, "points in " + std::to_string(dimensions) +
                                    " dimensions, expected face, corner or all");
  constexpr std::array<std::array<int, 3>, 3> known = {{{3, 0, 0}, {5, 9, 0}, {7, 14, 27}}};
  const auto& row = known[static_cast<std::size_t>(dimensions) - 1];
  const std::optional<std::int64_t> points = parse_integer(*key.value);
  if (points && *points > 0 && std::find(row.begin(), row.end(), *points) != row.end()) {
    term.points = static_cast<int>(*points);
    return;
  }
  Names names;
  for (const int value : row)
    if (value != 0) names.push_back(std::to_string(value));
  refuse(key, join(names, ", ") + " in " + std::to_string(dimensions) + "-D");
}

void set_neighbours(PatternTerm& term, const GivenKey& key) {
  if (term.points != 0)
    throw InputError(key.where,
                     std::string(key.name) + " beside points, expected one or the other");
  term.face |= key.name == "face";
  term.corner |= key.name == "corner";
  term.all |= key.name == "all";
}

void set_periodic(PatternTerm& term, const GivenKey& key) {
  term.periodic =
      key.value ? dimension_set(term, key) : (DimensionSet{1} << term.shape.dimensions) - 1;
}

void set_arity(PatternTerm& term, const GivenKey& key) {
  term.arity = static_cast<int>(whole_number(key, 1, GraphBuilder::most_ranks));
}

void set_algorithm(PatternTerm& term, const GivenKey& key) {
  const auto& known = term.kind->algorithms;
  const auto found = std::find(known.begin(), known.end(), *key.value);
  if (found == known.end())
    throw InputError(key.value_where, "unknown algorithm " + quoted(*key.value) + " of " +
                                          std::string(term.kind->name) + ", expected one of: " +
                                          join(Names(known.begin(), known.end()), ", "));
  term.algorithm = *found;
}

void set_vary(PatternTerm& term, const GivenKey& key) {
  term.vary = dimension_set(term, key);
}

void set_dim(PatternTerm& term, const GivenKey& key) {
  if (key.value->size() != 1) refuse(key, "one of " + letters_of(term.shape.dimensions));
  term.dim = dimension(term, key, key.value->front());
}

void set_by(PatternTerm& term, const GivenKey& key) {
  term.by = whole_number(key, -GraphBuilder::most_ranks, GraphBuilder::most_ranks);
  if (term.by == 0) refuse(key, "a number other than 0");
}

void set_seed(PatternTerm& term, const GivenKey& key) {
  const std::optional<std::uint64_t> seed = parse_unsigned(*key.value);
  if (!seed) refuse(key, "a whole number of 0 to 18446744073709551615");
  term.seed = *seed;
}

// A connected graph has n-1 pairs at least; n*2/2 are enough, and for 2 ranks n*1/2.
void set_degree(PatternTerm& term, const GivenKey& key) {
  const Rank most = term.shape.ranks - 1;
  term.degree = static_cast<Rank>(whole_number(key, std::min(most, 2), most));
}

template <std::uint64_t TrainingModel::*member>
void set_of_model(PatternTerm& term, const GivenKey& key) {
  constexpr std::int64_t most = 1'000'000'000;
  term.training.*member = static_cast<std::uint64_t>(whole_number(key, 1, most));
}

void set_order(PatternTerm& term, const GivenKey& key) {
  if (key.value->empty()) refuse(key, "groups such as pp-dp-tp");
  term.order = *key.value;
}

struct KeySetter {
  PatternKeyRow row;
  void (*set)(PatternTerm&, const GivenKey&);
  bool may_be_flag;  // stands without "="
};

constexpr std::array setters = {
    KeySetter{{"points", "N", "stencil by its points: 3; 5, 9; 7, 14, 27"}, set_points, false},
    KeySetter{{"periodic", "DIMENSIONS", "wrap around in all dimensions, or in those named"},
              set_periodic,
              true},
    KeySetter{{"face", "", "neighbours across faces (2n)"}, set_neighbours, true},
    KeySetter{{"corner", "", "faces, and neighbours across corners (2^n)"}, set_neighbours, true},
    KeySetter{{"all", "", "all neighbours (3^n - 1)"}, set_neighbours, true},
    KeySetter{{"dim", "DIMENSION", "the dimension to shift in (x)"}, set_dim, false},
    KeySetter{{"by", "N", "how far to shift (1)"}, set_by, false},
    KeySetter{{"arity", "N", "children of a rank (2)"}, set_arity, false},
    KeySetter{{"degree", "N", "average neighbours of a rank (4)"}, set_degree, false},
    KeySetter{{"seed", "N", "of the random numbers (0)"}, set_seed, false},
    KeySetter{{"algorithm", "NAME", "how the collective is done"}, set_algorithm, false},
    KeySetter{{"vary", "DIMENSIONS", "a communicator is the ranks that differ only in these"},
              set_vary,
              false},
    KeySetter{
        {"order", "GROUPS", "of parallel: what each dimension is, pp-dp-tp"}, set_order, false},
    KeySetter{{"layers", "N", "of the model that is trained (32)"},
              set_of_model<&TrainingModel::layers>,
              false},
    KeySetter{
        {"hidden", "N", "numbers a token (4096)"}, set_of_model<&TrainingModel::hidden>, false},
    KeySetter{
        {"seq", "N", "tokens of a sequence (4096)"}, set_of_model<&TrainingModel::sequence>, false},
    KeySetter{{"batch", "N", "sequences of a microbatch (1)"},
              set_of_model<&TrainingModel::batch>,
              false},
    KeySetter{{"microbatches", "N", "of a step, on each pipeline (8)"},
              set_of_model<&TrainingModel::microbatches>,
              false},
    KeySetter{
        {"bytes", "SIZE", "of a message, or of the buffer of a collective (1)"}, set_bytes, false},
    KeySetter{
        {"messages", "N", "how many messages, or calls of a collective (1)"}, set_messages, false},
    KeySetter{{"weight", "N", "how often aggbw and mapa2021 count a pair (1)"}, set_weight, false},
};

constexpr auto key_rows = [] {
  std::array<PatternKeyRow, setters.size()> rows{};
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = setters[i].row;
  return rows;
}();

}  // namespace

std::span<const PatternKeyRow> pattern_key_rows() {
  return key_rows;
}

void set_key(PatternTerm& term, const GivenKey& key) {
  const auto& accepted = term.kind->keys;
  if (std::find(accepted.begin(), accepted.end(), key.name) == accepted.end())
    throw InputError(key.where, "unknown key " + quoted(key.name) + ", expected one of: " +
                                    join(Names(accepted.begin(), accepted.end()), ", "));
  const auto setter = std::find_if(setters.begin(), setters.end(), [&](const KeySetter& candidate) {
    return candidate.row.name == key.name;
  });
  if (setter == setters.end()) throw Bug("a key that nobody reads");
  if (key.value && setter->row.value.empty())
    throw InputError(key.value_where,
                     "found a value, expected the flag " + std::string(key.name) + " alone");
  if (!key.value && !setter->may_be_flag)
    throw InputError(key.where, "key " + quoted(key.name) + " without a value, expected " +
                                    std::string(key.name) + "=" + std::string(setter->row.value));
  setter->set(term, key);
}

}  // namespace rankmap
