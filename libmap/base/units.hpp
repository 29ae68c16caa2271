// Bytes and bandwidths as integers, and their spelling in text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rankmap {

using Bytes = std::uint64_t;
using BytesPerSecond =
    std::uint64_t;  // one direction of a link; integers, so searches have no residue

inline constexpr double giga = 1e9;

// "4", "64KiB", "1.5GB", "2 MiB": a number >= 0 and an optional unit of B, kB/KB, MB, GB, TB
// (powers of 1000) or KiB, MiB, GiB, TiB, K, M, G, T (powers of 1024). nullopt: not a size, or it
// is not a whole number of bytes, or it does not fit 63 bits.
std::optional<Bytes> parse_bytes(std::string_view text);

// The size with the largest binary unit that divides it: 65536 -> "64KiB", 1000 -> "1000".
std::string format_bytes(Bytes bytes);

// GB/s (10^9 bytes/s) <-> integer bytes/s, rounded to the nearest. gbps must be finite, >= 0, <
// 9e9.
BytesPerSecond from_gbps(double gbps);
double to_gbps(BytesPerSecond bandwidth);

}  // namespace rankmap
