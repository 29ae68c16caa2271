// The tables of the NCCL recorder, without NCCL: rows against a plain map, what is bounded, and
// names.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <tuple>

extern "C" {
#include "mpi_shim/nccl/names.h"
#include "mpi_shim/nccl/tally.h"
#include "mpi_shim/record/phase.h"
}

namespace rankmap::testing {
namespace {

struct Tally : rankmap_nccl_tally {
  Tally() : rankmap_nccl_tally{} {}
  ~Tally() { rankmap_nccl_end(this); }
  Tally(const Tally&) = delete;
  Tally& operator=(const Tally&) = delete;
};

rankmap_nccl_row row(int operation, int peer, int phase, std::uint64_t bytes) {
  return {0, operation, peer, phase, 1, bytes};
}

TEST(RecordNccl, rows_add_up_by_communicator_operation_peer_and_phase) {
  std::mt19937 random(5);
  std::map<std::tuple<int, int, int, int>, std::pair<std::uint64_t, std::uint64_t>> expected;
  Tally tally;
  rankmap_nccl_comm* const comms[] = {rankmap_nccl_join(&tally, 9, "a", 8, 3),
                                      rankmap_nccl_join(&tally, 9, "a", 8, 4),
                                      rankmap_nccl_join(&tally, 10, nullptr, 8, 3)};
  for (int i = 0; i < 100'000; ++i) {
    const rankmap_nccl_comm* const comm = comms[random() % 3];
    const int operation = static_cast<int>(random() % 10);
    const rankmap_nccl_row added = row(operation, static_cast<int>(random() % 8),
                                       static_cast<int>(random() % 3), random() % 9);
    rankmap_nccl_add(&tally, comm, added);
    const bool is_send = operation == RANKMAP_NCCL_SEND;
    if (is_send && added.peer == comm->own) continue;  // to itself
    const int peer = is_send || rankmap_nccl_has_root(operation) ? added.peer : 0;
    auto& sum = expected[{comm->number, operation, peer, added.phase}];
    sum.first += 1;
    sum.second += added.bytes;
  }
  ASSERT_EQ(tally.row_count, expected.size());
  for (std::size_t i = 0; i < tally.row_count; ++i) {
    const rankmap_nccl_row& found = tally.rows[i];
    const auto& sum = expected.at({found.comm, found.operation, found.peer, found.phase});
    EXPECT_EQ(found.calls, sum.first);
    EXPECT_EQ(found.bytes, sum.second);
  }
  EXPECT_EQ(tally.other_calls, 0U);
}

TEST(RecordNccl, a_communicator_is_known_again_by_id_size_and_own_rank) {
  Tally tally;
  rankmap_nccl_comm* const first = rankmap_nccl_join(&tally, 1, " a  b\n", 4, 0);
  EXPECT_EQ(rankmap_nccl_join(&tally, 1, "other", 4, 0), first);
  EXPECT_NE(rankmap_nccl_join(&tally, 1, "", 4, 1), first);
  EXPECT_NE(rankmap_nccl_join(&tally, 2, "", 4, 0), first);
  EXPECT_EQ(tally.comm_count, 3U);
  EXPECT_STREQ(first->name, "a b");
  EXPECT_EQ(rankmap_nccl_join(&tally, 3, "", 4, 4), nullptr);
  EXPECT_EQ(rankmap_nccl_join(&tally, 3, "", 0, 0), nullptr);
  EXPECT_EQ(rankmap_nccl_join(&tally, 3, "", RANKMAP_MOST_NCCL_RANKS + 1, 0), nullptr);
}

TEST(RecordNccl, a_long_name_is_cut) {
  Tally tally;
  EXPECT_EQ(std::string(rankmap_nccl_join(&tally, 1, std::string(200, 'x').c_str(), 1, 0)->name),
            std::string(63, 'x'));
}

TEST(RecordNccl, what_cannot_be_listed_is_other) {
  Tally tally;
  const rankmap_nccl_comm unlisted{0, -1, 0, -1, ""};
  rankmap_nccl_comm* const comm = rankmap_nccl_join(&tally, 1, "", 4, 0);
  const int broadcast = rankmap_nccl_operation("Broadcast");
  rankmap_nccl_add(&tally, &unlisted, row(broadcast, 0, 0, 1));
  rankmap_nccl_add(&tally, comm, row(-1, 0, 0, 2));
  rankmap_nccl_add(&tally, comm, row(broadcast, 4, 0, 4));
  rankmap_nccl_add(&tally, comm, row(RANKMAP_NCCL_SEND, -1, 0, 8));
  rankmap_nccl_add(&tally, comm, row(broadcast, 0, RANKMAP_MOST_PHASES, 16));
  EXPECT_EQ(tally.row_count, 0U);
  EXPECT_EQ(tally.other_calls, 5U);
  EXPECT_EQ(tally.other_bytes, 31U);
}

TEST(RecordNccl, beyond_the_limit_only_known_rows_grow_and_the_rest_is_other) {
  Tally tally;
  rankmap_nccl_comm* const comm =
      rankmap_nccl_join(&tally, 1, "", RANKMAP_MOST_NCCL_RANKS, RANKMAP_MOST_NCCL_RANKS - 1);
  for (int peer = 0; peer < RANKMAP_MOST_NCCL_ROWS + 5; ++peer)
    rankmap_nccl_add(&tally, comm, row(RANKMAP_NCCL_SEND, peer, 0, 3));
  rankmap_nccl_add(&tally, comm, row(RANKMAP_NCCL_SEND, 0, 0, 4));
  EXPECT_EQ(tally.row_count, static_cast<std::size_t>(RANKMAP_MOST_NCCL_ROWS));
  EXPECT_EQ(tally.rows[0].bytes, 7U);
  EXPECT_EQ(tally.other_calls, 5U);
  EXPECT_EQ(tally.other_bytes, 15U);
}

TEST(RecordNccl, communicators_are_bounded) {
  Tally tally;
  for (int i = 0; i < RANKMAP_MOST_NCCL_COMMUNICATORS; ++i)
    ASSERT_NE(rankmap_nccl_join(&tally, static_cast<std::uint64_t>(i), "", 2, 0), nullptr);
  EXPECT_EQ(rankmap_nccl_join(&tally, RANKMAP_MOST_NCCL_COMMUNICATORS, "", 2, 0), nullptr);
  EXPECT_NE(rankmap_nccl_join(&tally, 0, "", 2, 0), nullptr);
}

TEST(RecordNccl, a_copy_stays_as_it_was) {
  Tally tally;
  rankmap_nccl_comm* const comm = rankmap_nccl_join(&tally, 1, "", 4, 0);
  rankmap_nccl_add(&tally, comm, row(RANKMAP_NCCL_SEND, 1, 0, 3));
  rankmap_nccl_tally copy;
  ASSERT_EQ(rankmap_nccl_copy(&tally, &copy), 0);
  rankmap_nccl_add(&tally, comm, row(RANKMAP_NCCL_SEND, 1, 0, 3));
  EXPECT_EQ(copy.rows[0].bytes, 3U);
  EXPECT_EQ(copy.comms[0], comm);
  rankmap_nccl_end_copy(&copy);
}

TEST(RecordNccl, names_are_those_of_nccl) {
  for (const char* name : {"AllReduce", "AllGather", "ReduceScatter", "Broadcast", "Reduce",
                           "AlltoAll", "Gather", "Scatter", "Send", "Recv"})
    EXPECT_STREQ(rankmap_nccl_operation_name(rankmap_nccl_operation(name)), name);
  EXPECT_EQ(rankmap_nccl_operation("allreduce"), -1);
  EXPECT_EQ(rankmap_nccl_operation(nullptr), -1);
  EXPECT_EQ(rankmap_nccl_type_bytes("ncclBfloat16"), 2);
  EXPECT_EQ(rankmap_nccl_type_bytes("Unknown"), 1);  // ncclUint8
  EXPECT_EQ(rankmap_nccl_type_bytes("ncclOfTomorrow"), 0);
  EXPECT_EQ(rankmap_nccl_type_bytes(nullptr), 0);
}

}  // namespace
}  // namespace rankmap::testing
