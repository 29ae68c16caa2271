// Text for HTML and SVG, and the one scale of colours that all pictures share.
#pragma once

#include <string>
#include <string_view>

namespace rankmap {

// Safe as text and inside double quotes: & < > " ' as entities, control characters as U+FFFD.
std::string escaped(std::string_view text);
// Four digits, without a locale: "1.235e+06".
std::string short_number(double value);
// "1.5 MB" of 10^6 bytes, to three digits.
std::string readable_bytes(double bytes);

inline constexpr int colour_steps = 9;
// Class of a value in 0..most: "k0" for nothing, else "k1" (light) to "k9" (dark), in equal steps.
std::string colour_class(double value, double most);
// Style rules of these classes, for lines and for cells; readable in print and by the colour-blind:
// from light to dark only.
std::string_view colour_rules();

}  // namespace rankmap
