// Permutations of the ranks in a part of a box, in place, in the part's own coordinates c: the rank
// at c moves to c'. How the box is cut does not change. Axes count from 0; UsageError: an axis that
// the part lacks, or two that must differ and do not. All O(cells of the part).
#pragma once

#include <cstdint>
#include <span>

#include "libmap/place/box/box.hpp"

namespace rankmap {

// c'[axis] = (c[axis] + slope x c[direction]) mod extent: the planes across `axis` are tilted, the
// more the farther along `direction`. Any slope.
void tilt(Box& box, const BoxView& view, std::int64_t axis, std::int64_t direction,
          std::int64_t slope);
// tilt(direction, axis, slope)
void shear(Box& box, const BoxView& view, std::int64_t axis, std::int64_t direction,
           std::int64_t slope);
// A tilt there and back: along `direction` the shift of `axis` goes from 0 to `depth` in `stride`
// planes, and back in as many. stride >= 1.
void zigzag(Box& box, const BoxView& view, std::int64_t axis, std::int64_t direction,
            std::int64_t depth, std::int64_t stride);
// c'[axis] = (c[axis] + steps) mod extent
void rotate(Box& box, const BoxView& view, std::int64_t axis, std::int64_t steps);
// The planes `a` and `b` across `axis` change places. UsageError: a plane outside.
void swap_planes(Box& box, const BoxView& view, std::int64_t axis, std::int64_t a, std::int64_t b);
// The part read with its axes in this order, the last fastest, and written in its own order: its
// shape stays. A permutation of all axes.
void transpose(Box& box, const BoxView& view, std::span<const std::int64_t> axes);
// Any order, each as likely.
void shuffle(Box& box, const BoxView& view, std::uint64_t seed);
// Along the Z-order curve (Morton 1966), dimension 0 in the lowest bit: the k-th rank of the
// row-major order moves to the k-th cell of the curve. Codes outside the part are passed over.
// O(cells x log cells).
void zorder(Box& box, const BoxView& view);
// The same along Hilbert's curve (Skilling 2004), whose successive cells are neighbours where all
// extents are one power of two. UsageError: dimensions x bits of the largest extent above 64.
void hilbert(Box& box, const BoxView& view);

}  // namespace rankmap
