// Tables of damaged files and what is said of them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "libmap/graph/reader.hpp"
#include "tests/unit/libmap/graph/message_of.hpp"

namespace rankmap {

struct Refusal {
  std::string content;
  std::string message;  // after the name of the file
};

inline void expect_refusals(const std::string& name, const std::vector<Refusal>& table) {
  for (const Refusal& row : table)
    EXPECT_EQ(message_of([&] { parse_comm_graph(row.content, name); }), name + row.message)
        << row.content;
}

}  // namespace rankmap
