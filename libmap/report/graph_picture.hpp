// A communication graph as people look at it: its matrix in text, and what its messages are like.
#pragma once

#include <string>

#include "libmap/graph/comm_graph.hpp"

namespace rankmap {

// Senders downwards, receivers across, all phases together; blank: nothing, then . to @ by the logarithm
// of the bytes. More than `width` ranks: several to a cell. Ends with a newline; "" without ranks.
std::string graph_picture(const CommGraph& graph, int width = 32);

// How large the messages are, and whether links decide: NVLink-class links are used well by messages of
// at least 1e5 bytes (MAPA, section 2.3). Ends with a newline.
std::string messages_text(const CommGraph& graph);

// Of all bytes, the part in edges whose mean message has at least so many bytes: 0..1.
double share_of_large_messages(const CommGraph& graph, double bytes);

}  // namespace rankmap
