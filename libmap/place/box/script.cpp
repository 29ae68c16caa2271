#include "libmap/place/box/script.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "libmap/base/cursor.hpp"
#include "libmap/base/text.hpp"
#include "libmap/place/box/operations.hpp"

namespace rankmap {
namespace {

// One pair of brackets behind a box's name.
struct Selector {
  enum class Kind { leaves, level, place } kind = Kind::place;
  std::vector<std::int64_t> numbers;  // the level, or the place in a grid
  TextPosition where;
};

std::string place_text(const Box& box, Rank rank_cell) {
  std::string text;
  for (const Rank c : coordinates_of(box, rank_cell))
    text += (text.empty() ? "(" : ",") + std::to_string(c);
  return text + ")";
}

std::string leaves_text(const BoxView& tree) {
  const std::vector<const BoxView*> leaves = leaves_of(tree);
  const auto smaller = [](const BoxView* a, const BoxView* b) { return a->cells() < b->cells(); };
  const auto [least, most] = std::minmax_element(leaves.begin(), leaves.end(), smaller);
  const std::string shapes = (*least)->cells() == (*most)->cells()
                                 ? (*least)->shape()
                                 : (*least)->shape() + " to " + (*most)->shape();
  return std::to_string(leaves.size()) + (leaves.size() == 1 ? " leaf of " : " leaves of ") +
         shapes;
}

std::string operation_names() {
  std::string names = "map";
  for (const BoxOperation& row : box_operations()) names += std::string(", ") + row.name;
  return names;
}

// The algebra's own errors, with the place in the script.
template <typename Run>
auto guarded(const TextPosition& where, const Run& run) {
  try {
    return run();
  } catch (const UsageError& error) {
    throw InputError(where, error.what());
  }
}

class ScriptRunner {
 public:
  ScriptRunner(const BoxScript& script, std::span<const std::int64_t> machine,
               std::int64_t most_cells)
      : cursor_(script.source, script.text), machine_(machine), most_cells_(most_cells) {}

  BoxScriptResult run() {
    for (std::size_t lines = 0; !cursor_.at_end(); ++lines) {
      if (lines == most_lines) cursor_.fail("a script has at most 10,000 lines");
      run_line();
    }
    for (const std::string* const name : {&mapped_, &machine_name_, &last_}) {
      if (name->empty()) continue;
      result_.name = *name;
      result_.box = std::move(boxes_.at(*name));
      return std::move(result_);
    }
    cursor_.fail("the script has no box, expected a line such as: net = machine");
  }

 private:
  static constexpr std::size_t most_lines = 10'000, most_boxes = 100;

  void skip() {
    while (cursor_.peek() == ' ' || cursor_.peek() == '\t' || cursor_.peek() == '\r')
      cursor_.next();
  }
  bool at_line_end() {
    skip();
    return cursor_.at_end() || cursor_.peek() == '\n' || cursor_.peek() == '#';
  }
  std::string found() const {
    if (cursor_.at_end()) return "found the end of the text";
    if (cursor_.peek() == '\n') return "found the end of the line";
    return "found " + quoted(cursor_.rest().substr(0, cursor_.rest().find_first_of("\r\n")));
  }

  void run_line() {
    if (!at_line_end()) {
      const std::size_t line = cursor_.position().line;
      const std::string_view rest = cursor_.rest();
      std::string effect = run_statement();
      if (!at_line_end()) cursor_.fail(found() + ", expected the end of the line");
      const std::size_t length = static_cast<std::size_t>(cursor_.rest().data() - rest.data());
      result_.steps.push_back({line, std::string(trim(rest.substr(0, length))), std::move(effect)});
    }
    cursor_.take_until("\n");
    cursor_.next();
  }

  std::string take_name() {
    const TextPosition where = cursor_.position();
    const std::string name(cursor_.take_word());
    const bool letter =
        !name.empty() && ((name[0] >= 'a' && name[0] <= 'z') || (name[0] >= 'A' && name[0] <= 'Z'));
    if (!letter)
      Cursor::fail_at(where, (name.empty() ? found() : "found " + quoted(name)) +
                                 ", expected the name of a box, which begins with a letter");
    return name;
  }

  std::vector<BoxWord> take_words() {
    std::vector<BoxWord> words;
    while (!at_line_end()) {
      const TextPosition where = cursor_.position();
      words.push_back({cursor_.take_until(" \t\r\n#"), where});
    }
    return words;
  }

  std::string run_statement() {
    const TextPosition where = cursor_.position();
    const std::string name = take_name();
    skip();
    if (cursor_.accept('=')) return create(name);
    Box& box = box_named(name, where);
    std::vector<Selector> selectors;
    while (cursor_.peek() == '[') selectors.push_back(take_selector());
    if (!cursor_.accept('.'))
      cursor_.fail(found() + ", expected = and a new box, or . and an operation");
    const TextPosition operation = cursor_.position();
    const std::string_view word = cursor_.take_word();
    if (word.empty()) cursor_.fail(found() + ", expected one of: " + operation_names());
    std::vector<BoxWord> words = take_words();
    if (word == "map") return map(name, box, selectors, words, operation);
    return apply(box, selectors, word, std::move(words), operation);
  }

  Box& box_named(const std::string& name, const TextPosition& where) {
    const auto box = boxes_.find(name);
    if (box != boxes_.end()) return box->second;
    std::string names;
    for (const auto& [known, ignored] : boxes_) names += (names.empty() ? "" : ", ") + known;
    Cursor::fail_at(where, "there is no box " + quoted(name) + ", expected " +
                               (names.empty() ? "a line before such as: app = box 16 8 16"
                                              : "one of: " + names));
  }

  // box EXTENTS..., machine, or copy NAME
  std::string create(const std::string& name) {
    skip();
    const TextPosition where = cursor_.position();
    const std::string kind(cursor_.take_word());
    const BoxArguments arguments(take_words(),
                                 kind == "box"    ? "box EXTENTS..."
                                 : kind == "copy" ? "copy BOX"
                                                  : "machine",
                                 where);
    if (boxes_.size() >= most_boxes && !boxes_.contains(name))
      Cursor::fail_at(where, "a script has at most 100 boxes");
    Box made = new_box(kind, arguments, where);
    last_ = name;
    if (kind == "machine") machine_name_ = name;
    Box& box = boxes_[name] = std::move(made);
    return box.tree.shape() + ", " + std::to_string(box.rank_at.size()) + " ranks";
  }

  Box new_box(const std::string& kind, const BoxArguments& arguments, const TextPosition& where) {
    if (kind == "copy") {
      arguments.expect_count(1, 1);
      return box_named(arguments.word(0), arguments.where(0));
    }
    if (kind != "box" && kind != "machine")
      Cursor::fail_at(where, "found " + quoted(kind) + ", expected box, machine or copy");
    std::vector<std::int64_t> extents(machine_.begin(), machine_.end());
    if (kind == "machine") arguments.expect_count(0, 0);
    if (kind == "box") {
      arguments.expect_count(1, most_box_dimensions);
      extents = arguments.numbers(0, arguments.count());
    }
    std::int64_t room = most_cells_;
    for (const std::int64_t extent : extents) room = extent < 1 ? room : room / extent;
    if (room == 0)
      Cursor::fail_at(where, "this box is too large, expected at most " +
                                 std::to_string(most_cells_) +
                                 " cells, as many as the machine has");
    return guarded(where, [&] { return make_box(extents); });
  }

  Selector take_selector() {
    Selector selector;
    selector.where = cursor_.position();
    cursor_.next();
    skip();
    const std::string_view ends = ",] \t\r\n#";
    TextPosition where = cursor_.position();
    std::string_view word = cursor_.take_until(ends);
    skip();
    if (word == "leaves") {
      selector.kind = Selector::Kind::leaves;
    } else {
      if (word == "level") {
        selector.kind = Selector::Kind::level;
        where = cursor_.position();
        word = cursor_.take_until(ends);
      }
      selector.numbers.push_back(number(word, where));
      skip();
      while (selector.kind == Selector::Kind::place && cursor_.accept(',')) {
        skip();
        where = cursor_.position();
        selector.numbers.push_back(number(cursor_.take_until(ends), where));
        skip();
      }
    }
    if (!cursor_.accept(']')) cursor_.fail(found() + ", expected ]");
    return selector;
  }

  static std::int64_t number(std::string_view word, const TextPosition& where) {
    const std::optional<std::int64_t> value = parse_integer(word);
    if (!value)
      Cursor::fail_at(where, "found " + quoted(word) +
                                 ", expected leaves, level and a number, or a place such as 0,1");
    return *value;
  }

  std::vector<BoxView*> selected(Box& box, const std::vector<Selector>& selectors) {
    std::vector<BoxView*> views{&box.tree};
    for (const Selector& selector : selectors) {
      std::vector<BoxView*> next;
      guarded(selector.where, [&] {
        for (BoxView* const view : views) append_selected(*view, selector, next);
      });
      views = std::move(next);
    }
    return views;
  }

  static void append_selected(BoxView& view, const Selector& selector,
                              std::vector<BoxView*>& views) {
    if (selector.kind == Selector::Kind::place)
      return views.push_back(&child_at(view, selector.numbers));
    const std::vector<BoxView*> found = selector.kind == Selector::Kind::leaves
                                            ? leaves_of(view)
                                            : views_at_level(view, selector.numbers[0]);
    views.insert(views.end(), found.begin(), found.end());
  }

  std::string apply(Box& box, const std::vector<Selector>& selectors, std::string_view word,
                    std::vector<BoxWord> words, const TextPosition& where) {
    const auto operation = std::find_if(box_operations().begin(), box_operations().end(),
                                        [&](const BoxOperation& row) { return row.name == word; });
    if (operation == box_operations().end())
      Cursor::fail_at(
          where, "unknown operation " + quoted(word) + ", expected one of: " + operation_names());
    const std::string usage = operation->name +
                              std::string(*operation->arguments == '\0' ? "" : " ") +
                              operation->arguments;
    const BoxArguments arguments(std::move(words), usage, where);
    std::vector<Rank> before;
    if (!operation->cuts) before = box.rank_at;
    for (BoxView* const view : selected(box, selectors)) {
      guarded(where, [&] { operation->run(box, *view, arguments); });
      if (operation->cuts) count_parts(*view, where);
    }
    if (operation->cuts) return leaves_text(box.tree);
    std::size_t moved = 0;
    for (std::size_t cell = 0; cell < before.size(); ++cell)
      moved += before[cell] != box.rank_at[cell];
    return "moved " + std::to_string(moved) + " of " + std::to_string(before.size()) + " ranks";
  }

  void count_parts(const BoxView& view, const TextPosition& where) {
    parts_ += static_cast<std::int64_t>(view.children.size());
    if (parts_ > 4 * most_cells_)
      Cursor::fail_at(where, "the script cuts boxes into more than " +
                                 std::to_string(4 * most_cells_) + " parts in all");
  }

  std::string map(const std::string& name, Box& box, const std::vector<Selector>& selectors,
                  const std::vector<BoxWord>& words, const TextPosition& where) {
    const BoxArguments arguments(words, "map BOX", where);
    arguments.expect_count(1, 1);
    const bool part = !selectors.empty() || words[0].text.find('[') != words[0].text.npos;
    if (part)
      Cursor::fail_at(where,
                      "found a part of a box, expected whole ones: the ranks of a part are " +
                          std::string("no numbers 0, 1, 2 ... of their own"));
    const Box& from = box_named(arguments.word(0), words[0].where);
    const std::string leaves = leaves_text(from.tree) + " onto " + leaves_text(box.tree);
    guarded(where, [&] { map_box(box, from); });
    mapped_ = name;
    const std::vector<Rank> cell_of = cells_of_ranks(box);
    std::string places;
    for (std::size_t rank = 0; rank < std::min<std::size_t>(3, cell_of.size()); ++rank)
      places += "; rank " + std::to_string(rank) + " at " + place_text(box, cell_of[rank]);
    return leaves + places;
  }

  Cursor cursor_;
  std::span<const std::int64_t> machine_;
  std::int64_t most_cells_;
  std::map<std::string, Box> boxes_;
  std::string mapped_, machine_name_, last_;
  std::int64_t parts_ = 0;
  BoxScriptResult result_;
};

}  // namespace

BoxScriptResult run_box_script(const BoxScript& script, std::span<const std::int64_t> machine,
                               std::int64_t most_cells) {
  return ScriptRunner(script, machine, most_cells).run();
}

}  // namespace rankmap
