// Communication graphs in the files of other graph tools and of spreadsheets, one reader a format.
// All refuse what is not their grammar with file:line:column, take what a header promises only as
// far as the text can hold it, and count in 64 bits; ranks and edges as GraphBuilder limits them.
// They read forwards: memory is that of the graph, 8 bytes a rank, and the longest line.
#pragma once

#include <string_view>

#include "libmap/graph/comm_graph.hpp"
#include "libmap/graph/text_input.hpp"

namespace rankmap {

// Matrix Market, coordinate: rows and columns are ranks from 1, an entry is what its row sends to
// its column, in one message. Values are whole bytes (real ones too: 12.0), `pattern` is 1 byte;
// 0 is no message. `general` is directed; in `symmetric` an entry (on or below the diagonal) goes
// both ways. Entries of one place add up, the diagonal is dropped. Refused, with the reason:
// `array`, `complex`, `hermitian` and `skew-symmetric` (half of it is negative).
bool is_matrix_market(std::string_view content);
CommGraph read_matrix_market(TextInput& text);

// METIS (also of KaHIP, Chaco, DIMACS 10): "VERTICES EDGES [FMT [NCON]]", then a line a vertex,
// blank where it has no neighbour. FMT is up to three digits 0 or 1: vertex sizes, vertex weights,
// edge weights. An edge of weight w (1) is w bytes each way, a message each. It stands in the lists
// of both its ends with the same weight, once, and no vertex is its own neighbour: METIS asks for
// it and we check it. The vertex weight is the rank's work; vertex sizes are read and mean nothing
// here. NCON above 1 is refused: a rank has one amount of work.
bool is_metis(std::string_view content);
CommGraph read_metis(TextInput& text);

// Scotch: version 0, "VERTICES ARCS", "BASE FLAGS", then for every vertex [label] [load] degree and
// so many times [load] neighbour. Line ends mean nothing, there are no comments. FLAGS is up to
// three digits, non-zero where there are labels, edge loads, vertex loads. Bytes, work and both
// directions as in METIS. A label is the number of its rank, counted from BASE: each one in use,
// in any order.
bool is_scotch(std::string_view content);
CommGraph read_scotch(TextInput& text);

// CSV: a line an edge, with the columns source, destination, bytes (units as in 64KiB are allowed)
// and where wanted messages (1) and phase (0). The first line names them, in any order; without it
// 3 to 5 columns are in this order. There are as many ranks as the largest number says, from 0.
// Equal edges add up. Blanks and double quotes around a field are taken off; lines that begin with
// # mean nothing.
bool is_csv(std::string_view content);
CommGraph read_csv(TextInput& text);

}  // namespace rankmap
