// The keys of patterns: how their values are read.
#pragma once

#include "patterns/pattern.hpp"

namespace rankmap {

// A key as it stands in the text.
struct GivenKey {
  std::string_view name;
  std::optional<std::string_view> value;  // nullopt: no "=" behind it
  TextPosition where;                     // of the key
  TextPosition value_where;
};

// Sets one key of a term whose kind and shape are known. InputError if the kind does not accept the
// key or the value means nothing.
void set_key(PatternTerm& term, const GivenKey& key);

}  // namespace rankmap
