// Communication graph files: the formats that can be read, one row each, and our own writer.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "libmap/graph/comm_graph.hpp"
#include "libmap/graph/text_input.hpp"

namespace rankmap {

// A format. `recognises` looks at the first lines of a content only; `read` reads on from there and
// throws InputError with line and column.
struct GraphFormatRow {
  std::string_view name;
  std::string_view summary;     // one line
  std::string_view extensions;  // of file names, between blanks: they decide where contents do not
  bool (*recognises)(std::string_view content);
  CommGraph (*read)(TextInput& text);
};

std::span<const GraphFormatRow> graph_formats();

// The graph of a text in any of the formats above; its name is `source`. The format is chosen by
// content. Where several recognise it, the one decides whose extension `source` ends in, else the
// first of them: so a few lines of numbers that could be two formats are
//   K lines of K numbers               a square table, unless named .graph, .metis (METIS) or .csv
//   2 to 4 whole numbers first, no comma, the first of them not 0: METIS
//   a line of just 0, then one of two: Scotch
//   3 to 5 columns between commas      CSV
//   any other numbers                  a square table
// InputError for content of none of them (the message names them), and for what the format refuses.
// A byte order mark at its begin means nothing. O(size + edges log ranks), memory in proportion.
CommGraph parse_comm_graph(std::string_view content, const std::string& source);

// The same for a file; "-" is standard input. Files up to 16 GiB, of formats that other tools
// record 1 GiB. SystemError if it cannot be read.
// A folder is read as the recordings of one job, a file a process (foreign/formats.hpp).
CommGraph read_comm_graph(const std::string& path);

// rankmap's own edge list, version 1. It is read back as an equal graph (but for its name).
//   # rankmap comm 1                   the first line, exactly so
//   ranks N                            before all else
//   phases N                           optional; without it, the largest phase used, plus one
//   work AMOUNT RANKS                  optional: what each of these ranks computes (default 1)
//   group PHASE RANKS NAME             optional; group 0 first. RANKS as 0-3,8 in communicator
//                                      order; NAME is the rest of the line and may be empty
//   SOURCE DESTINATION BYTES [MESSAGES [PHASE [GROUP [WEIGHT]]]]
// An edge line is one directed stream: BYTES of all its messages together (a number, units as in
// 64KiB are allowed), MESSAGES 1, PHASE 0, GROUP - (none) and WEIGHT 1 unless given. Traffic both
// ways is two lines. Lines of equal phase, group, source and destination add up; a line from a rank
// to itself is dropped. Blank lines and lines that begin with # mean nothing.
// In what our recorder writes, a group is one collective of one communicator in one phase, with the
// name "OPERATION [root=RANK] calls=N bytes=B" (B: the buffer of its first member, all calls
// together). Its edges are the messages of the first algorithm that patterns/ has for the operation;
// those with counts (alltoallv) have what each pair sent. What the recorder had no room for stands in
// a last line "# other: ...".
std::string write_comm(const CommGraph& graph);

// Limits of the edge list beside those of GraphBuilder: the members of all groups together, with
// the ranks that work lines name. Work is at most 2^62; a line of it takes 8 bytes for every rank.
inline constexpr std::size_t most_group_members = std::size_t{1} << 26;

bool is_edge_list(std::string_view content);
CommGraph read_edge_list(TextInput& text);

// A dense table (.mat): N rows of N numbers between blanks, tabs or commas; row i, column j holds
// the whole bytes that rank i sends to rank j, in one message; 0 is no message. Directed: a
// symmetric table says that traffic goes both ways. The diagonal is dropped; lines that begin with
// # or % and blank lines mean nothing.
bool is_dense_matrix(std::string_view content);
CommGraph read_dense_matrix(TextInput& text);

}  // namespace rankmap
