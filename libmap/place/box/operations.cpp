#include "libmap/place/box/operations.hpp"

#include <array>

#include "libmap/base/text.hpp"
#include "libmap/place/box/cuts.hpp"
#include "libmap/place/box/moves.hpp"

namespace rankmap {
namespace {

constexpr std::size_t any = 64;

template <Slicing how>
void run_slicing(Box&, BoxView& view, const BoxArguments& arguments) {
  arguments.expect_count(1, any);
  cut(view, arguments.numbers(0, arguments.count()), how);
}

// Divisors, then as many words.
void run_cut(Box&, BoxView& view, const BoxArguments& arguments) {
  arguments.expect_count(2, any);
  std::vector<Slicing> how;
  std::size_t divisors = 0;
  for (std::size_t i = 0; i < arguments.count(); ++i) {
    const bool div = arguments.is_word(i, "div"), mod = arguments.is_word(i, "mod");
    if (div || mod)
      how.push_back(div ? Slicing::div : Slicing::mod);
    else if (how.empty())
      ++divisors;
    else
      arguments.fail(i, "div or mod");
  }
  cut(view, arguments.numbers(0, divisors), how);
}

void run_tile(Box&, BoxView& view, const BoxArguments& arguments) {
  arguments.expect_count(1, any);
  const std::size_t count = arguments.count();
  const bool uneven = arguments.is_word(count - 1, "uneven");
  tile(view, arguments.numbers(0, uneven ? count - 1 : count), uneven);
}

void run_tilt(Box& box, BoxView& view, const BoxArguments& arguments) {
  arguments.expect_count(3, 3);
  tilt(box, view, arguments.axis(0), arguments.axis(1), arguments.number(2));
}

void run_shear(Box& box, BoxView& view, const BoxArguments& arguments) {
  arguments.expect_count(3, 3);
  shear(box, view, arguments.axis(0), arguments.axis(1), arguments.number(2));
}

void run_zigzag(Box& box, BoxView& view, const BoxArguments& arguments) {
  arguments.expect_count(3, 4);
  zigzag(box, view, arguments.axis(0), arguments.axis(1), arguments.number(2),
         arguments.count() == 4 ? arguments.number(3) : 1);
}

void run_rotate(Box& box, BoxView& view, const BoxArguments& arguments) {
  arguments.expect_count(2, 2);
  rotate(box, view, arguments.axis(0), arguments.number(1));
}

void run_swap(Box& box, BoxView& view, const BoxArguments& arguments) {
  arguments.expect_count(3, 3);
  swap_planes(box, view, arguments.axis(0), arguments.number(1), arguments.number(2));
}

void run_transpose(Box& box, BoxView& view, const BoxArguments& arguments) {
  arguments.expect_count(1, any);
  std::vector<std::int64_t> axes;
  for (std::size_t i = 0; i < arguments.count(); ++i) axes.push_back(arguments.axis(i));
  transpose(box, view, axes);
}

template <void (*curve)(Box&, const BoxView&)>
void run_curve(Box& box, BoxView& view, const BoxArguments& arguments) {
  arguments.expect_count(0, 0);
  curve(box, view);
}

void run_shuffle(Box& box, BoxView& view, const BoxArguments& arguments) {
  arguments.expect_count(1, 1);
  shuffle(box, view, arguments.unsigned_number(0));
}

constexpr std::array operations = {
    BoxOperation{"div", "PIECES...", "cut into so many pieces of neighbours a dimension", true,
                 run_slicing<Slicing::div>},
    BoxOperation{"mod", "PIECES...", "cut so that neighbours go to different pieces", true,
                 run_slicing<Slicing::mod>},
    BoxOperation{"cut", "PIECES... div|mod...", "cut each dimension in its own way", true, run_cut},
    BoxOperation{"tile", "SIZES... [uneven]", "cut into pieces of this size", true, run_tile},
    BoxOperation{"tilt", "AXIS DIRECTION SLOPE",
                 "c[axis] += slope x c[direction]: planes become slanted", false, run_tilt},
    BoxOperation{"shear", "AXIS DIRECTION SLOPE", "c[direction] += slope x c[axis]", false,
                 run_shear},
    BoxOperation{"zigzag", "AXIS DIRECTION DEPTH [STRIDE]",
                 "a tilt to the depth in so many planes, and back", false, run_zigzag},
    BoxOperation{"rotate", "AXIS STEPS", "c[axis] += steps", false, run_rotate},
    BoxOperation{"swap", "AXIS PLANE PLANE", "two planes across the axis change places", false,
                 run_swap},
    BoxOperation{"transpose", "AXES...", "read with the axes in this order, written as before",
                 false, run_transpose},
    BoxOperation{"zorder", "", "along the Z-order curve", false, run_curve<zorder>},
    BoxOperation{"hilbert", "", "along Hilbert's curve", false, run_curve<hilbert>},
    BoxOperation{"shuffle", "SEED", "in any order", false, run_shuffle},
};

}  // namespace

std::span<const BoxOperation> box_operations() {
  return operations;
}

void BoxArguments::expect_count(std::size_t least, std::size_t most) const {
  if (words_.size() >= least && words_.size() <= most) return;
  const bool too_many = words_.size() > most;
  const std::string found =
      too_many ? "found " + quoted(words_[most].text) : "found the end of the line";
  throw InputError(too_many ? words_[most].where : where_, found + ", expected " + usage_);
}

std::int64_t BoxArguments::number(std::size_t i) const {
  const std::optional<std::int64_t> value = parse_integer(words_[i].text);
  if (!value) fail(i, "a whole number");
  return *value;
}

std::uint64_t BoxArguments::unsigned_number(std::size_t i) const {
  const std::optional<std::uint64_t> value = parse_unsigned(words_[i].text);
  if (!value) fail(i, "a whole number from 0 to 2^64 - 1");
  return *value;
}

std::int64_t BoxArguments::axis(std::size_t i) const {
  constexpr std::string_view letters = "xyztuv";
  const std::string_view word = words_[i].text;
  if (word.size() == 1 && letters.find(word[0]) != letters.npos)
    return static_cast<std::int64_t>(letters.find(word[0]));
  const std::optional<std::int64_t> value = parse_integer(word);
  if (!value || *value < 0) fail(i, "an axis: 0 for the first dimension, or x, y, z, t, u, v");
  return *value;
}

std::vector<std::int64_t> BoxArguments::numbers(std::size_t first, std::size_t end) const {
  std::vector<std::int64_t> values;
  for (std::size_t i = first; i < end; ++i) values.push_back(number(i));
  return values;
}

void BoxArguments::fail(std::size_t i, const std::string& expected) const {
  throw InputError(words_[i].where,
                   "found " + quoted(words_[i].text) + ", expected " + expected + " in " + usage_);
}

}  // namespace rankmap
