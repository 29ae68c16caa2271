// How the kinds hand their messages to the graph: sizes, counts and weights of the part included.
#pragma once

#include <string>
#include <vector>

#include "patterns/pattern.hpp"

namespace rankmap {

class Emitter {
 public:
  // `phase` is the first phase of the part; the builder must have all its phases.
  Emitter(const PatternTerm& term, GraphBuilder& builder, std::int32_t phase)
      : term_(term), builder_(builder), first_phase_(phase), phase_(phase) {}

  // Of a part of a kind that is made of others: its phase k, counted within the part. `term` must
  // outlive it.
  Emitter for_part(const PatternTerm& term, std::int32_t k) const {
    return Emitter(term, builder_, first_phase_ + k);
  }

  void in_phase(std::int32_t k) { phase_ = first_phase_ + k; }  // counted within the part
  void begin_group(std::string name, std::vector<Rank> ranks);  // what follows belongs to it

  // One message of the part's bytes.
  void message(Rank from, Rank to) { send(from, to, term_.bytes, 1); }
  void each_way(Rank a, Rank b) {
    message(a, b);
    message(b, a);
  }
  // `count` messages of `bytes` together in one call; both are multiplied by the key `messages`.
  void send(Rank from, Rank to, Bytes bytes, std::uint64_t count);

 private:
  const TextPosition& where() const { return term_.where; }

  const PatternTerm& term_;
  GraphBuilder& builder_;
  std::int32_t first_phase_;
  std::int32_t phase_;
  std::int32_t group_ = none;
};

// a * b, or InputError at the part: more than 63 bits.
std::uint64_t checked_product(std::uint64_t a, std::uint64_t b, const TextPosition& where);

}  // namespace rankmap
