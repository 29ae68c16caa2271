// The matrix of a graph in text, and the words on its messages.
#include "libmap/report/graph_picture.hpp"

#include <gtest/gtest.h>

namespace rankmap {
namespace {

CommGraph graph(Rank ranks, const std::vector<Edge>& edges) {
  GraphBuilder builder(ranks);
  for (const Edge& edge : edges) builder.add(edge);
  return std::move(builder).build("test");
}

TEST(GraphPicture, ShadesCellsByTheirBytes) {
  const CommGraph app = graph(3, {{0, 1, 1 << 20, 1, 1, 0, none}, {2, 0, 1, 1, 1, 0, none}});
  EXPECT_EQ(graph_picture(app),
            "+---+ a cell is one rank\n"
            "| @ |\n"
            "|   |\n"
            "|.  |\n"
            "+---+\n");
}

TEST(GraphPicture, PutsManyRanksIntoACell) {
  const CommGraph app = graph(100, {{0, 99, 10, 1, 1, 0, none}});
  const std::string text = graph_picture(app, 10);
  EXPECT_EQ(text.substr(0, 39), "+----------+ a cell is 10 ranks\n|      ");
  EXPECT_EQ(std::count(text.begin(), text.end(), '@'), 1);
}

TEST(GraphPicture, TakesEmptyGraphs) {
  EXPECT_EQ(graph_picture(CommGraph()), "");
  EXPECT_EQ(graph_picture(graph(1, {})), "+-+ a cell is one rank\n| |\n+-+\n");
  EXPECT_EQ(messages_text(graph(2, {})), "no messages\n");
}

// MAPA, section 2.3: fast links are used from 1e5 bytes a message.
TEST(MessagesText, SaysWhetherLinksDecide) {
  const CommGraph large = graph(2, {{0, 1, 2000000, 10, 1, 0, none}, {1, 0, 8, 1, 1, 0, none}});
  EXPECT_NE(messages_text(large).find("100 % of the bytes"), std::string::npos);
  EXPECT_NE(messages_text(large).find("fast links pay"), std::string::npos);
  const CommGraph small = graph(2, {{0, 1, 2000000, 1000, 1, 0, none}});
  EXPECT_NE(messages_text(small).find("latency decides"), std::string::npos);
  EXPECT_DOUBLE_EQ(share_of_large_messages(small, 2000), 1);
}

}  // namespace
}  // namespace rankmap
