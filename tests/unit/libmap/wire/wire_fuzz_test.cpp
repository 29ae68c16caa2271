// Damaged map files: the C reader gives a reason or a row, whatever the bytes.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "libmap/base/random.hpp"
#include "libmap/wire/wire.h"

namespace {

// A valid map of `ranks` lines, each as long as it needs.
std::string valid_map(std::int32_t ranks) {
  std::string body;
  std::size_t length = 0;
  char line[RANKMAP_WIRE_MAX_WIDTH];
  for (std::int32_t rank = 0; rank < ranks; ++rank) {
    const rankmap_wire_row row = {rank,          rank % 4,      "n0",
                                  "GPU-1234",    "0,1,2,3",     "mlx5_0",
                                  "0-62:2,1-63", "bind:0-1,40", "cores=1-3;vendor=amd"};
    EXPECT_EQ(rankmap_wire_render_line(&row, nullptr, 120, line, &length), RANKMAP_WIRE_OK);
    body.append(line, length);
  }
  rankmap_wire_header header{};
  header.ranks = ranks;
  header.width = 120;
  header.body = rankmap_wire_checksum(body.data(), body.size());
  std::strcpy(header.machine, "m%20x");
  std::strcpy(header.objective, "o");
  char text[RANKMAP_WIRE_HEADER_SIZE];
  EXPECT_EQ(rankmap_wire_render_header(&header, text), RANKMAP_WIRE_OK);
  return std::string(text, sizeof text) + body;
}

rankmap_wire_status verify(const std::string& text) {
  const std::vector<char> exact(text.begin(), text.end());  // no '\0' behind: overruns show
  rankmap_wire_header header;
  return rankmap_wire_verify(exact.data(), exact.size(), &header).status;
}

TEST(WireFuzz, NoCutFileIsAccepted) {
  const std::string text = valid_map(3);
  ASSERT_EQ(verify(text), RANKMAP_WIRE_OK);
  for (std::size_t size = 0; size < text.size(); ++size)
    EXPECT_NE(verify(text.substr(0, size)), RANKMAP_WIRE_OK) << size;
}

// One changed byte is always seen: in the body by the checksum, in the header by its grammar. Only
// a name or the case of a hex digit may change unseen, and the names stand before " body=".
TEST(WireFuzz, NoChangedByteOfTheBodyIsAccepted) {
  const std::string text = valid_map(3);
  for (std::size_t i = RANKMAP_WIRE_HEADER_SIZE; i < text.size(); ++i)
    for (const char c : {'\0', '\n', ' ', '0', ',', '-', '~', '\xff'}) {
      std::string changed = text;
      changed[i] = c;
      if (changed == text) continue;
      EXPECT_NE(verify(changed), RANKMAP_WIRE_OK) << i;
    }
}

TEST(WireFuzz, RandomBytesNeverCrash) {
  rankmap::Random random(7);
  for (int round = 0; round < 20000; ++round) {
    std::string text = valid_map(2);
    const int changes = 1 + static_cast<int>(random.below(8));
    for (int i = 0; i < changes; ++i)
      text[random.below(text.size())] = static_cast<char>(random.below(256));
    const rankmap_wire_status status = verify(text);
    EXPECT_LT(status, RANKMAP_WIRE_STATUS_COUNT);
  }
}

TEST(WireFuzz, RandomLinesNeverCrash) {
  static const char alphabet[] = "0123456789-,:;= *abcores\n%";
  rankmap::Random random(11);
  for (int round = 0; round < 50000; ++round) {
    std::vector<char> line(1 + random.below(RANKMAP_WIRE_MAX_WIDTH));
    for (char& c : line) c = alphabet[random.below(sizeof alphabet - 1)];
    line.back() = '\n';
    rankmap_wire_row row;
    std::size_t column = 0;
    const rankmap_wire_status status =
        rankmap_wire_parse_line(line.data(), line.size(), 0, &row, &column);
    EXPECT_LE(column, line.size());
    EXPECT_LT(status, RANKMAP_WIRE_STATUS_COUNT);
  }
}

}  // namespace
