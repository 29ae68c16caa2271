// TAU, Intel APS, IPM and mpiP: what their samples hold, and what is refused.
#include "tests/unit/libmap/graph/foreign_samples.hpp"

namespace rankmap {
namespace {

TEST(Tau, EventsOfAllThreadsAddUpAndPathsAreSkipped) {
  const CommGraph graph = read_comm_graph(sample("tau"));
  EXPECT_EQ(graph.ranks(), 3);
  // 40 x 8000; 3 x 100 and the 1 x 7 of a second thread; 3 x 10/3.
  EXPECT_EQ(edges_text(graph), "0>1 320000/40\n1>2 307/4\n2>0 10/3\n");
}

TEST(Tau, ASingleProfileIsRefused) {
  EXPECT_EQ(message_of([] { read_comm_graph(sample("tau/profile.0.0.0")); }),
            sample("tau/profile.0.0.0") +
                ": one profile of TAU has the messages of one sender, expected the folder of all "
                "profile.N.0.0");
}

std::string profile(const std::string& events) {
  return "0 templated_functions\n0 aggregates\n" + events;
}

TEST(Tau, ProfilesAreReadInFullOrRefused) {
  const TestFolder folder;
  folder.write("profile.0.0.0",
               profile("1 userevents\n\"Message size sent to node 2\" 1 1 1 1 1\n"));
  folder.write("profile.2.0.0", profile(""));
  EXPECT_EQ(folder.refusal(),
            "DIR: profiles of 2 of 3 nodes (nothing of rank 1), expected profile.N.0.0 of all");
  folder.write("profile.1.0.0", profile("2 userevents\n\"other\" 1 1 1 1 1\n"));
  EXPECT_EQ(folder.refusal(), "DIR/profile.1.0.0: ends after 1 user events, expected 2");
  folder.write("profile.1.0.0", profile(""));
  EXPECT_EQ(edges_text(read_comm_graph(folder.path())), "0>2 1/1\n");
}

TEST(Tau, EventsOutsideTheGrammarAreRefused) {
  const TestFolder folder;
  const auto refusal = [&](const std::string& event) {
    folder.write("profile.0.0.0", profile("1 userevents\n" + event + "\n"));
    return folder.refusal();
  };
  EXPECT_EQ(refusal("plain"),
            "DIR/profile.0.0.0:4:1: found \"plain\", expected the name of a user event in quotes");
  EXPECT_EQ(refusal("\"Message size sent to node x\" 1 1 1 1 1"),
            "DIR/profile.0.0.0:4:28: found \"x\", expected a rank of 0 to 16777215");
  EXPECT_EQ(refusal("\"Message size sent to node 0\" 1 1 1 1"),
            "DIR/profile.0.0.0:4:30: 4 numbers after the name, expected numevents, max, min, mean "
            "and sumsqr");
  EXPECT_EQ(refusal("\"Message size sent to node 0\" 1.5 1 1 1 1"),
            "DIR/profile.0.0.0:4:31: found \"1.5\", expected a whole number of events");
  EXPECT_EQ(refusal("\"Message size sent to node 0\" 1 1 1 nan 1"),
            "DIR/profile.0.0.0:4:37: found \"nan\", expected a number >= 0");
  EXPECT_EQ(refusal("\"Message size sent to node 0\" 1e9 1 1 1e10 1"),
            "DIR/profile.0.0.0:4:39: more bytes than 63 bits hold");
  EXPECT_EQ(
      refusal("\"other\" 1 1 1 1 1"),
      "DIR: no user event \"Message size sent to node K\" in these profiles, expected a run of "
      "TAU with TAU_COMM_MATRIX=1");
}

TEST(Aps, ADirectedTableIsRead) {
  const CommGraph graph = read_comm_graph(sample("aps_directed.txt"));
  EXPECT_EQ(graph.ranks(), 3);
  EXPECT_EQ(edges_text(graph), "0>1 40250000/120000\n1>2 750000/3\n2>0 40500000/900\n");
}

TEST(Aps, ATableOfBothDirectionsCountsHalfEachWay) {
  const CommGraph graph = read_comm_graph(sample("aps_both_ways.txt"));
  EXPECT_EQ(edges_text(graph),
            "0>1 6125000/501\n1>0 6125000/500\n1>2 2000000/100\n2>1 2000000/100\n");
}

std::string aps(const std::string& rows, const std::string& arrow = "-->",
                const std::string& columns = "Volume(MB) Volume(%) Transfers") {
  return "| Rank " + arrow + " Rank " + columns + "\n|-----\n" + rows;
}

TEST(Aps, ASingleMessageGoesOneWayWithAllItsBytes) {
  EXPECT_EQ(edges_text(parse_comm_graph(aps(" 0000 <-> 0001 0.000011 1 1\n", "<->"), "f")),
            "0>1 11/1\n");
}

TEST(Aps, TablesWithLinesLeftOutAreRefused) {
  EXPECT_EQ(refusal_of(aps(" 0 --> 1 1 1 1\n| [skipped 4 lines]\n")),
            "f:4:1: found \"| [skipped 4 lines]\", expected a table of all lines (unfiltered)");
}

TEST(Aps, TablesOutsideTheGrammarAreRefused) {
  EXPECT_EQ(refusal_of(aps(" 0 --> 1 1 1\n")),
            "f:3:2: found \"0 --> 1 1 1\", expected RANK --> RANK and 3 numbers");
  EXPECT_EQ(refusal_of(aps(" 0 <-> 1 1 1 1\n")),
            "f:3:2: found \"0 <-> 1 1 1 1\", expected RANK --> RANK and 3 numbers");
  EXPECT_EQ(refusal_of(aps(" 0 --> 1 <0.1 1 1\n")),
            "f:3:10: found \"<0.1\", expected a volume in MB");
  EXPECT_EQ(refusal_of(aps(" 0 --> 1 1 1 1.5\n")),
            "f:3:14: found \"1.5\", expected a whole number of transfers");
  EXPECT_EQ(refusal_of(aps(" -1 --> 1 1 1 1\n")),
            "f:3:2: found \"-1\", expected a rank of 0 to 16777215");
  EXPECT_EQ(refusal_of(aps(" 0 --> 1 1 1 0\n")), "f:3:14: a volume without transfers");
  EXPECT_EQ(refusal_of(aps("", "-->", "Volume(GB) Transfers")),
            "f:1:1: no column \"Volume(MB)\", expected one beside Rank --> Rank");
  EXPECT_EQ(refusal_of(aps("") + aps("")),
            "f:3:1: a second table of ranks, expected one (one run)");
  EXPECT_EQ(refusal_of(aps("")), "f: the table has no rows, expected RANK --> RANK or <->");
}

TEST(Ipm, OnlyCallsThatSendToAPeerCount) {
  const CommGraph graph = read_comm_graph(sample("ipm_full.xml"));
  EXPECT_EQ(graph.ranks(), 3);
  // 100 x 8192 + 3 x 16; Sendrecv 7 x 1024; 100 x 8192. Receives and Allreduce are not counted.
  EXPECT_EQ(edges_text(graph), "0>1 819248/103\n1>2 7168/7\n2>0 819200/100\n");
}

TEST(Ipm, ATerseLogIsRefusedWithTheReason) {
  EXPECT_EQ(message_of([] { read_comm_graph(sample("ipm_terse.xml")); }),
            sample("ipm_terse.xml") +
                ": a terse log of IPM has sums of calls and no peers, expected that of a run with "
                "IPM_LOG=full");
}

std::string ipm(const std::string& inside, const std::string& ranks = "2") {
  return "<ipm>\n<task mpi_rank=\"0\" mpi_size=\"" + ranks + "\" >\n" + inside +
         "</task>\n<task mpi_rank=\"1\" mpi_size=\"2\" ></task>\n</ipm>\n";
}

std::string send_to(const std::string& rank, const std::string& bytes = "8") {
  return "<hent call=\"MPI_Send\" bytes=\"" + bytes + "\" orank=\"" + rank + "\" count=\"2\" />\n";
}

TEST(Ipm, RanksThatAreRelativeAreRefusedWhereASignTells) {
  const std::string end = ": ranks relative to the sender, expected ranks of MPI_COMM_WORLD";
  EXPECT_EQ(refusal_of(ipm(send_to("+1"))), "f:3:40: found \"+1\"" + end);
  EXPECT_EQ(refusal_of(ipm(send_to("-1"))), "f:3:40: found \"-1\"" + end);
  EXPECT_EQ(edges_text(parse_comm_graph(ipm(send_to("1")), "f")), "0>1 16/2\n");
}

TEST(Ipm, LogsOutsideTheGrammarAreRefused) {
  EXPECT_EQ(refusal_of(ipm(send_to("2"))), "f:3:40: found \"2\", expected orank of 0 to 1");
  EXPECT_EQ(refusal_of(ipm(send_to("1", "-8"))),
            "f:3:30: found \"-8\", expected bytes of 0 to 9223372036854775807");
  EXPECT_EQ(refusal_of(ipm(send_to("1", "9223372036854775807"))),
            "f:3:30: times its count, more bytes than 63 bits hold");
  EXPECT_EQ(refusal_of(ipm("<hent call=\"MPI_Send\" />")),
            "f:3:1: <hent> without count, expected count=\"...\"");
  EXPECT_EQ(refusal_of(ipm("<hent call=MPI_Send />")),
            "f:3:7: found \"call=MPI_Send /></ta\", expected NAME=\"VALUE\" or the end of the tag");
  EXPECT_EQ(refusal_of(ipm("<task mpi_rank=\"1\" mpi_size=\"2\" >")),
            "f:3:1: a <task> in a <task>, expected </task>");
  EXPECT_EQ(refusal_of(ipm("<!-- ")), "f:3:1: found \"<!--\", expected \"-->\" after it");
  EXPECT_EQ(refusal_of(ipm("", "3")),
            "f:4:30: a task of 2 ranks, but of 3 above: expected the tasks of one run");
  EXPECT_EQ(refusal_of("<ipm><task mpi_rank=\"1\" mpi_size=\"3\" ></task>"),
            "f: tasks of 1 of 3 ranks (nothing of ranks 0, 2), expected all");
  EXPECT_EQ(refusal_of("<ipm><task mpi_rank=\"0\" mpi_size=\"1\" >"),
            "f: ends in a <task>, expected </task>");
}

TEST(MpiP, IsRefusedWithTheReason) {
  EXPECT_EQ(message_of([] { read_comm_graph(sample("mpip.txt")); }),
            sample("mpip.txt") +
                ":1:1: a report of mpiP counts what each call site sends, not to whom; expected a "
                "recording that names the peers (rankmap run --record FILE makes one)");
}

}  // namespace
}  // namespace rankmap
