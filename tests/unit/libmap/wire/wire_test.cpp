// The map-file record: what it writes it reads, and every defect has its reason and place.
#include "libmap/wire/wire.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <fstream>
#include <string>

namespace {

struct Line {
  std::string text;
  rankmap_wire_status status;
};

Line render(const rankmap_wire_row& row, std::size_t width = 0) {
  std::array<char, RANKMAP_WIRE_MAX_WIDTH> buffer{};
  std::size_t length = 0;
  const rankmap_wire_status status =
      rankmap_wire_render_line(&row, nullptr, width, buffer.data(), &length);
  return {std::string(buffer.data(), length), status};
}

rankmap_wire_row dgx_row(std::int32_t rank) {
  return {rank, 2, "n0", "0000:07:00.0", "2,0", "mlx5_0", "0-4,40-44", "preferred:0", "cores=0-4"};
}

std::string header_text(std::int32_t ranks, std::uint32_t width, std::uint64_t body) {
  rankmap_wire_header header{};
  header.ranks = ranks;
  header.width = width;
  header.body = body;
  std::strcpy(header.machine, "dgx1-v100");
  std::strcpy(header.objective, "effbw");
  std::array<char, RANKMAP_WIRE_HEADER_SIZE> text{};
  EXPECT_EQ(rankmap_wire_render_header(&header, text.data()), RANKMAP_WIRE_OK);
  return std::string(text.data(), text.size());
}

// Two ranks, lines of 80 bytes.
std::string small_map() {
  const std::string body = render(dgx_row(0), 80).text + render(dgx_row(1), 80).text;
  return header_text(2, 80, rankmap_wire_checksum(body.data(), body.size())) + body;
}

rankmap_wire_fault verify(const std::string& text) {
  rankmap_wire_header header;
  return rankmap_wire_verify(text.data(), text.size(), &header);
}

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content) {
    char name[] = "/tmp/rankmap-wire-XXXXXX";
    const int file = mkstemp(name);
    EXPECT_GE(file, 0);
    close(file);
    path_ = name;
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TemporaryFile() { unlink(path_.c_str()); }
  const char* path() const { return path_.c_str(); }

 private:
  std::string path_;
};

TEST(WireHeader, IsOneLineOf256Bytes) {
  const std::string text = header_text(4, 96, 0xcbf29ce484222325U);
  const std::string start =
      "# rankmap 1 ranks=4 width=96 machine=dgx1-v100 objective=effbw body=cbf29ce484222325";
  EXPECT_EQ(text.substr(0, start.size()), start);
  EXPECT_EQ(text.size(), 256U);
  EXPECT_EQ(text.find('\n'), 255U);
}

TEST(WireHeader, ReadsBackWhatWasWritten) {
  const std::string text = header_text(4, 96, 0x0123456789abcdefU);
  rankmap_wire_header header;
  ASSERT_EQ(rankmap_wire_parse_header(text.data(), text.size(), &header, nullptr), RANKMAP_WIRE_OK);
  EXPECT_EQ(header.ranks, 4);
  EXPECT_EQ(header.width, 96U);
  EXPECT_EQ(header.body, 0x0123456789abcdefU);
  EXPECT_STREQ(header.machine, "dgx1-v100");
  EXPECT_EQ(header.hosts_unnamed, 0);
}

// 112 + 48 characters of names, the largest numbers, hosts=unnamed: 27 + 8 + ... stays below 256.
TEST(WireHeader, HoldsTheLongestNamesAndNumbers) {
  rankmap_wire_header header{};
  header.ranks = RANKMAP_WIRE_MAX_RANKS;
  header.width = RANKMAP_WIRE_MAX_WIDTH;
  header.body = ~std::uint64_t{0};
  header.hosts_unnamed = 1;
  std::memset(header.machine, 'm', RANKMAP_WIRE_MAX_MACHINE);
  std::memset(header.objective, 'o', RANKMAP_WIRE_MAX_OBJECTIVE);
  std::array<char, RANKMAP_WIRE_HEADER_SIZE> text{};
  EXPECT_EQ(rankmap_wire_render_header(&header, text.data()), RANKMAP_WIRE_OK);
}

struct HeaderDefect {
  const char* name;
  std::string find, replace;
  rankmap_wire_status expected;
};

TEST(WireHeader, NamesEveryDefect) {
  const HeaderDefect defects[] = {
      {"other program", "# rankmap 1", "# rankmop 1", RANKMAP_WIRE_MAGIC},
      {"next version", "# rankmap 1", "# rankmap 2", RANKMAP_WIRE_VERSION_UNKNOWN},
      {"no ranks", "ranks=2", "ranks=0", RANKMAP_WIRE_RANKS},
      {"ranks not a number", "ranks=2", "ranks=x", RANKMAP_WIRE_RANKS},
      {"field renamed", " ranks=", " ramks=", RANKMAP_WIRE_HEADER_FIELD},
      {"line too wide", "width=80 ", "width=513", RANKMAP_WIRE_WIDTH},
      {"line too narrow", "width=80", "width=17", RANKMAP_WIRE_WIDTH},
      {"half an escape", "machine=dgx1", "machine=%g11", RANKMAP_WIRE_NAME},
      {"checksum not hex", "body=", "body=g", RANKMAP_WIRE_HEADER_FIELD},
  };
  for (const HeaderDefect& defect : defects) {
    std::string text = small_map();
    text.replace(text.find(defect.find), defect.replace.size(), defect.replace);
    EXPECT_EQ(verify(text).status, defect.expected) << defect.name;
  }
}

TEST(WireHeader, RefusesWhatStandsInThePadding) {
  std::string text = small_map();
  text[250] = 'x';
  EXPECT_EQ(verify(text).status, RANKMAP_WIRE_PADDING);
  text = small_map();
  text[255] = ' ';
  EXPECT_EQ(verify(text).status, RANKMAP_WIRE_PADDING);
  text = small_map();
  text[250] = '\0';
  EXPECT_EQ(verify(text).status, RANKMAP_WIRE_PADDING);
}

TEST(WireHeader, TellsACutHeaderFromAnotherFile) {
  EXPECT_EQ(verify(small_map().substr(0, 255)).status, RANKMAP_WIRE_SHORT_HEADER);
  EXPECT_EQ(verify("").status, RANKMAP_WIRE_MAGIC);
  EXPECT_EQ(verify("rank 0=n0 slot=1").status, RANKMAP_WIRE_MAGIC);
}

TEST(WireNames, EscapeIsUndoneByUnescape) {
  char escaped[64], plain[64];
  ASSERT_EQ(rankmap_wire_escape("my machine 100%", escaped, sizeof escaped), 1);
  EXPECT_STREQ(escaped, "my%20machine%20100%25");
  ASSERT_EQ(rankmap_wire_unescape(escaped, plain, sizeof plain), 1);
  EXPECT_STREQ(plain, "my machine 100%");
}

TEST(WireNames, RefuseWhatDoesNotFitOrIsNoEscape) {
  char small[4];
  EXPECT_EQ(rankmap_wire_escape("abcd", small, sizeof small), 0);
  EXPECT_EQ(rankmap_wire_unescape("a%2", small, sizeof small), 0);
  EXPECT_EQ(rankmap_wire_unescape("%00", small, sizeof small), 0);
}

TEST(WireLine, ReadsBackWhatWasWritten) {
  Line line = render(dgx_row(7));
  ASSERT_EQ(line.status, RANKMAP_WIRE_OK);
  EXPECT_EQ(line.text, "7 n0 2 0000:07:00.0 2,0 mlx5_0 0-4,40-44 preferred:0 cores=0-4\n");
  rankmap_wire_row row;
  ASSERT_EQ(rankmap_wire_parse_line(line.text.data(), line.text.size(), 7, &row, nullptr),
            RANKMAP_WIRE_OK);
  EXPECT_EQ(row.gpu, 2);
  EXPECT_STREQ(row.gpu_id, "0000:07:00.0");
  EXPECT_STREQ(row.memory, "preferred:0");
}

TEST(WireLine, WritesADashWhereThereIsNothing) {
  Line line = render({0, -1, "*", "", "", nullptr, "", "", ""});
  EXPECT_EQ(line.text, "0 * - - - - - - -\n");
  rankmap_wire_row row;
  ASSERT_EQ(rankmap_wire_parse_line(line.text.data(), line.text.size(), 0, &row, nullptr),
            RANKMAP_WIRE_OK);
  EXPECT_EQ(row.gpu, -1);
  EXPECT_STREQ(row.nic, "");
}

struct LineDefect {
  const char* line;
  rankmap_wire_status status;
  std::size_t column;
};

TEST(WireLine, NamesEveryDefectAndItsColumn) {
  const LineDefect defects[] = {
      {"1 * - - - - - - -\n", RANKMAP_WIRE_RANK_MISMATCH, 1},
      {"x * - - - - - - -\n", RANKMAP_WIRE_RANK_MISMATCH, 1},
      {"0 - - - - - - - -\n", RANKMAP_WIRE_HOST, 3},
      {"0 * g - - - - - -\n", RANKMAP_WIRE_GPU, 5},
      {"0 * 65536 - - - - - -\n", RANKMAP_WIRE_GPU, 5},
      {"0 * - - 1-2 - - - -\n", RANKMAP_WIRE_NODE_GPUS, 9},
      {"0 * - - 1, - - - -\n", RANKMAP_WIRE_NODE_GPUS, 9},
      {"0 * - - - - 4-1 - -\n", RANKMAP_WIRE_CPUS, 13},
      {"0 * - - - - 0-8:0 - -\n", RANKMAP_WIRE_CPUS, 13},
      {"0 * - - - - 65536 - -\n", RANKMAP_WIRE_CPUS, 13},
      {"0 * - - - - - 0 -\n", RANKMAP_WIRE_MEMORY, 15},
      {"0 * - - - - - bind: -\n", RANKMAP_WIRE_MEMORY, 15},
      {"0 * - - - - - - cores=a\n", RANKMAP_WIRE_FLAGS, 17},
      {"0 * - - - - - - vendor=ati\n", RANKMAP_WIRE_FLAGS, 17},
      {"0 * - - - - - - slot=1x\n", RANKMAP_WIRE_FLAGS, 17},
      {"0 * - - - - - -\n", RANKMAP_WIRE_COLUMN_COUNT, 15},
      {"0 * - - - - - - - x\n", RANKMAP_WIRE_COLUMN_COUNT, 19},
      {"0 h\tost - - - - - -\n", RANKMAP_WIRE_CHARACTER, 4},
      {"0 h\xc3\xb6st - - - - - - -\n", RANKMAP_WIRE_CHARACTER, 4},
      {"0 * - - - - - - - ", RANKMAP_WIRE_LINE_END, 18},
  };
  for (const LineDefect& defect : defects) {
    std::string line = defect.line;
    rankmap_wire_row row;
    std::size_t column = 0;
    EXPECT_EQ(rankmap_wire_parse_line(line.data(), line.size(), 0, &row, &column), defect.status)
        << defect.line;
    EXPECT_EQ(column, defect.column) << defect.line;
  }
}

TEST(WireLine, KeepsFlagsItDoesNotKnow) {
  std::string line = "0 * - - - - - - later=1;cores=2\n";
  rankmap_wire_row row;
  ASSERT_EQ(rankmap_wire_parse_line(line.data(), line.size(), 0, &row, nullptr), RANKMAP_WIRE_OK);
  std::size_t length = 0;
  EXPECT_EQ(std::string(rankmap_wire_flag(row.flags, "cores", &length)).substr(0, length), "2");
  EXPECT_EQ(rankmap_wire_flag(row.flags, "ate", &length), nullptr);
}

TEST(WireLine, RefusesToWriteWhatItCouldNotRead) {
  rankmap_wire_row row = dgx_row(0);
  row.host = "two words";
  EXPECT_EQ(render(row).status, RANKMAP_WIRE_HOST);
  row = dgx_row(0);
  row.nic = "-";
  EXPECT_EQ(render(row).status, RANKMAP_WIRE_FIELD);
  const std::string long_nic(500, 'n');
  row.nic = long_nic.c_str();
  EXPECT_EQ(render(row).status, RANKMAP_WIRE_TOO_LONG);
  const std::string long_host(256, 'h');
  row = dgx_row(0);
  row.host = long_host.c_str();
  EXPECT_EQ(render(row).status, RANKMAP_WIRE_HOST);
}

TEST(WireFile, OneRankIsReadWithoutTheOthers) {
  std::string text = small_map();
  text.replace(256, 79, std::string(79, '#'));  // rank 0's line is damaged
  const TemporaryFile file(text);
  rankmap_wire_header header;
  rankmap_wire_row row;
  char line[RANKMAP_WIRE_MAX_WIDTH];
  EXPECT_EQ(rankmap_wire_read_rank(file.path(), 1, &header, line, &row), RANKMAP_WIRE_OK);
  EXPECT_EQ(row.rank, 1);
  EXPECT_EQ(rankmap_wire_read_rank(file.path(), 0, &header, line, &row), RANKMAP_WIRE_COLUMN_COUNT);
  EXPECT_EQ(rankmap_wire_read_rank(file.path(), 2, &header, line, &row), RANKMAP_WIRE_RANK_RANGE);
  EXPECT_EQ(rankmap_wire_read_rank(file.path(), -1, &header, line, &row), RANKMAP_WIRE_RANK_RANGE);
}

TEST(WireFile, TellsWhatCannotBeOpenedOrIsCut) {
  rankmap_wire_header header;
  rankmap_wire_row row;
  char line[RANKMAP_WIRE_MAX_WIDTH];
  EXPECT_EQ(rankmap_wire_read_rank("/nonexistent/map", 0, &header, line, &row),
            RANKMAP_WIRE_CANNOT_OPEN);
  EXPECT_EQ(rankmap_wire_read_rank("/tmp", 0, &header, line, &row), RANKMAP_WIRE_CANNOT_READ);
  const TemporaryFile cut(small_map().substr(0, 256 + 80 + 40));
  EXPECT_EQ(rankmap_wire_read_rank(cut.path(), 1, &header, line, &row), RANKMAP_WIRE_SIZE);
}

TEST(WireFile, VerifyFindsSizeAndChecksum) {
  EXPECT_EQ(verify(small_map()).status, RANKMAP_WIRE_OK);
  EXPECT_EQ(verify(small_map() + "\n").status, RANKMAP_WIRE_SIZE);
  EXPECT_EQ(verify(small_map().substr(0, 400)).status, RANKMAP_WIRE_SIZE);
  std::string text = small_map();
  text.replace(text.find("mlx5_0"), 6, "mlx5_9");
  EXPECT_EQ(verify(text).status, RANKMAP_WIRE_CHECKSUM);
  EXPECT_EQ(verify(text).line, 0U);
}

TEST(WireFile, VerifySaysTheLine) {
  std::string text = small_map();
  text[256 + 80] = '5';
  const rankmap_wire_fault fault = verify(text);
  EXPECT_EQ(fault.status, RANKMAP_WIRE_RANK_MISMATCH);
  EXPECT_EQ(fault.line, 3U);
  EXPECT_EQ(fault.column, 1U);
}

TEST(WireMessages, EveryReasonHasOne) {
  for (int status = 0; status < RANKMAP_WIRE_STATUS_COUNT; ++status)
    EXPECT_STRNE(rankmap_wire_message(static_cast<rankmap_wire_status>(status)), "unknown defect");
}

// FNV-1a's published test vectors: "" is the offset basis, "a" 0xaf63dc4c8601ec8c.
TEST(WireChecksum, IsFnv1a) {
  EXPECT_EQ(rankmap_wire_checksum("", 0), 0xcbf29ce484222325U);
  EXPECT_EQ(rankmap_wire_checksum("a", 1), 0xaf63dc4c8601ec8cU);
  EXPECT_EQ(rankmap_wire_checksum("foobar", 6), 0x85944171f73967e8U);
}

TEST(WireList, FillsAMask) {
  std::uint64_t mask[2];
  ASSERT_EQ(rankmap_wire_parse_list("0-2,64,100-110:5", mask, 2), 1);
  EXPECT_EQ(mask[0], 7U);
  // 64, and 100, 105, 110: bits 0, 36, 41, 46 of the second word
  EXPECT_EQ(mask[1], 1U | (1ULL << 36) | (1ULL << 41) | (1ULL << 46));
  char text[64];
  ASSERT_EQ(rankmap_wire_print_list(mask, 2, text, sizeof text), 1);
  EXPECT_STREQ(text, "0-2,64,100,105,110");
}

TEST(WireList, RefusesOtherTextsAndNumbersBeyondTheMask) {
  std::uint64_t mask[1];
  for (const char* text :
       {",", "1,", "a", "1-", "-1", "3-1", "1-5:0", "64", "0-64", "1 2", "99999999999999999999999"})
    EXPECT_EQ(rankmap_wire_parse_list(text, mask, 1), 0) << text;
  EXPECT_EQ(rankmap_wire_parse_list("", mask, 1), 1);
  EXPECT_EQ(mask[0], 0U);
}

TEST(WireList, SaysWhenTheTextDoesNotFit) {
  const std::uint64_t mask[1] = {0x5555};
  char text[8];
  EXPECT_EQ(rankmap_wire_print_list(mask, 1, text, sizeof text), 0);
}

}  // namespace
