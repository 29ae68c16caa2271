// What the program says when it is used wrongly: exit code, place, what was expected.
#include <gtest/gtest.h>

#include "tests/cli/run_program.hpp"

namespace rankmap::test {
namespace {

struct Wrong {
  std::vector<std::string> words;
  int code;
  std::string says;  // part of standard error
};

class Errors : public testing::TestWithParam<Wrong> {};

TEST_P(Errors, HaveTheirCodeAndSaySo) {
  const Outcome outcome = run_program(GetParam().words);
  EXPECT_EQ(outcome.code, GetParam().code) << outcome.err;
  EXPECT_NE(outcome.err.find(GetParam().says), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.out, "");
}

INSTANTIATE_TEST_SUITE_P(
    CommandLine, Errors,
    testing::Values(
        Wrong{{}, 2, "help"}, Wrong{{"fly"}, 2, "unknown subcommand \"fly\""},
        Wrong{{"map", "ring:4"}, 2, "--machine"},
        Wrong{{"map", "-m", "dgx1-v100"}, 2, "expected APP or --app"},
        Wrong{{"map", "ring:4", "--app", "ring:4", "-m", "dgx1-v100"}, 2, "given twice"},
        Wrong{{"map", "stencil:8x8,point=5", "-m", "dgx1-v100"},
              3,
              "pattern:1:13: unknown key \"point\", expected one of: "},
        Wrong{{"map", "rings:4", "-m", "dgx1-v100"},
              3,
              "pattern:1:1: unknown pattern kind \"rings\""},
        Wrong{{"map", "ring:4", "-m", "dgx1-v10"}, 2, "dgx1-v100"},
        Wrong{{"map", "ring:4", "-m", "dgx1-v100", "--objective", "fast"},
              2,
              "unknown objective \"fast\", expected one of: effbw"},
        Wrong{{"map", "ring:4", "-m", "dgx1-v100", "--strategy", "magic"}, 2, "exact"},
        Wrong{{"map", "ring:4", "-m", "dgx1-v100", "--effbw", "magic"}, 2, "mapa2021"},
        Wrong{{"map", "ring:4", "-m", "dgx1-v100", "--busy", "x"}, 2, "--busy"},
        Wrong{{"map", "ring:4", "-m", "dgx1-v100", "--busy", "8"}, 2, "8"},
        Wrong{{"map", "ring:4", "-m", "dgx1-v100", "--fix", "0"}, 2, "RANK=SLOT"},
        Wrong{{"map", "ring:4", "-m", "dgx1-v100", "--fix", "0=1,1=1"}, 2, "1"},
        Wrong{{"map", "ring:4", "-m", "flat:4", "--objective", "effbw"}, 2, "effbw"},
        Wrong{{"map", "ring:4", "-m", "flat:4", "--objective", "offnode,effbw"}, 2, "effbw"},
        Wrong{{"map", "ring:4", "-m", "flat:4", "--objective", "offnode,hopbytes,offnode"},
              2,
              "offnode is given twice"},
        Wrong{{"map", "ring:4", "-m", "flat:4", "--objective", "offnode,fast"},
              2,
              "unknown objective \"fast\", expected one of: effbw"},
        Wrong{{"map", "ring:16", "-m", "dgx1-v100x2", "--objective", "effbw"}, 2, "effbw"},
        Wrong{{"map", "ring:9", "-m", "dgx1-v100"}, 1, "9"},
        Wrong{{"map", "ring:4", "-m", "dgx1-v100", "-o", "/nonexistent/x"}, 5, "/nonexistent/x"},
        Wrong{{"machine", "dgx1-v100@net/none.conf"},
              2,
              "found no file \"net/none.conf\" that can be read"},
        Wrong{{"machine", "/dev/null"}, 3, "/dev/null"}, Wrong{{"machine"}, 2, "expected SPEC"},
        Wrong{{"score", "ring:4", "-m", "dgx1-v100", "--map", "/nonexistent"}, 5, "/nonexistent"},
        Wrong{{"export", "/nonexistent", "--for", "openmpi4"}, 5, "/nonexistent"},
        Wrong{{"help", "flying"}, 2, "flying"}, Wrong{{"run", "--", "true"}, 125, "--map"},
        Wrong{{"run", "--map", "/nonexistent", "--", "true"}, 125, "/nonexistent"},
        Wrong{{"exec"}, 125, "after \"--\""}, Wrong{{"check", "/nonexistent"}, 2, "--map"}));

TEST(Program, PrintsHelpOnStandardOutput) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"help"},
                                                {"help", "--all"},
                                                {"--help"},
                                                {"map", "--help"},
                                                {"help", "map"}}) {
    const Outcome outcome = run_program(words);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_FALSE(outcome.out.empty());
    EXPECT_EQ(outcome.err, "");
  }
}

TEST(Program, TellsItsVersion) {
  const Outcome outcome = run_program({"--version"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out.substr(0, 8), "rankmap ");
}

TEST(Program, EverySubcommandHasHelpWithExamplesAManPageAndCompletion) {
  const std::string completion = run_program({"help", "--completion"}).out;
  for (const std::string name :
       {"map", "run", "check", "show", "machine", "pattern", "score", "export", "exec"}) {
    EXPECT_NE(run_program({name, "--help"}).out.find("Examples:"), std::string::npos) << name;
    const std::string page = run_program({"help", name, "--man"}).out;
    EXPECT_EQ(page.substr(0, 3), ".TH") << name;
    EXPECT_NE(page.find(".SH EXAMPLES"), std::string::npos) << name;
    EXPECT_NE(completion.find("    " + name + ") words="), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace rankmap::test
