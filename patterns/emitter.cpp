#include "patterns/emitter.hpp"

namespace rankmap {

std::uint64_t checked_product(std::uint64_t a, std::uint64_t b, const TextPosition& where) {
  constexpr std::uint64_t largest = (std::uint64_t{1} << 63) - 1;
  if (a != 0 && b > largest / a)
    throw InputError(where, "bytes and messages multiply to more than 63 bits hold");
  return a * b;
}

void Emitter::begin_group(std::string name, std::vector<Rank> ranks) {
  group_ = builder_.add_group({std::move(name), std::move(ranks), phase_});
}

void Emitter::send(Rank from, Rank to, Bytes bytes, std::uint64_t count) {
  builder_.add({from, to, checked_product(bytes, term_.messages, where()),
                checked_product(count, term_.messages, where()), term_.weight, phase_, group_});
}

}  // namespace rankmap
