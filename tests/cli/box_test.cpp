// Box scripts on the command line, and what score says of communicators.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/cli/run_program.hpp"

namespace rankmap::test {
namespace {

using nlohmann::json;

class BoxFiles : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path) << text;
    return path;
  }
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string folder_ = testing::TempDir() + "rankmap_box." + std::to_string(::getpid());
};

TEST_F(BoxFiles, ScriptsPlaceTheRanks) {
  const std::string script = write("s.box",
                                   "app = box 4 4\napp.tile 1 4\nnet = machine\nnet.tile 2 2\n"
                                   "net.map app\nnet.tilt x y 1\n");
  const Outcome outcome = run_program(
      {"map", "stencil:4x4", "-m", "torus:4x4", "--script", script, "--explain", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find(script + ":4: net.tile 2 2: 4 leaves of 2x2\n"), std::string::npos);
  EXPECT_NE(outcome.err.find(script + ":6: net.tilt x y 1: moved 12 of 16 ranks\n"),
            std::string::npos);
  const json found = json::parse(outcome.out);
  EXPECT_EQ(found["strategy"], "box");
  EXPECT_EQ(found["mapping"][4]["slot"],
            10);  // at (0,2), the corner of the second box; then two down
}

TEST_F(BoxFiles, ScriptsOfShareAreFoundByName) {
  const Outcome outcome =
      run_program({"map", "pf3d:16x8x16,bytes=1KiB", "-m", "torus:8x8x8,slots=4", "--script",
                   "pf3d-2048-tilt-xy", "-o", folder_ + "/m"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Outcome scored = run_program(
      {"score", "pf3d:16x8x16,bytes=1KiB", "-m", "torus:8x8x8,slots=4", "--map", folder_ + "/m"});
  ASSERT_EQ(scored.code, 0) << scored.err;
  // The last rows of the published table: 160 links and 12 KiB, 128 links and 3.5 KiB.
  EXPECT_NE(scored.out.find("  160 "), std::string::npos) << scored.out;
  EXPECT_NE(scored.out.find("12288"), std::string::npos) << scored.out;
  EXPECT_NE(scored.out.find("3584"), std::string::npos) << scored.out;
  const json found =
      json::parse(run_program({"score", "pf3d:16x8x16,bytes=1KiB", "-m", "torus:8x8x8,slots=4",
                               "--map", folder_ + "/m", "--json"})
                      .out);
  EXPECT_EQ(found["maps"][0]["communicators"][0]["links_mean"], 160);
  EXPECT_EQ(found["maps"][0]["communicators"][1]["worst"]["max_link_bytes"], 3584);
}

// The script that was found, kept in a file, gives the same map.
TEST_F(BoxFiles, ScriptsAreSearchedFor) {
  const std::vector<std::string> map = {"map", "stencil:8x2", "-m", "torus:4x4", "--json"};
  const auto run_with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), map.begin(), map.end());
    const Outcome outcome = run_program(more);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return json::parse(outcome.out);
  };
  const json found = run_with({"--strategy", "box"});
  EXPECT_NE(found["notes"].dump().find("the best of "), std::string::npos);
  const std::string script = write("found.box", found["script"]);
  const json again = run_with({"--script", script});
  EXPECT_EQ(again["mapping"], found["mapping"]);
  EXPECT_EQ(again["value"], found["value"]);
  EXPECT_TRUE(again["script"].is_null());
  EXPECT_NE(run_program({"map", "stencil:8x2", "-m", "torus:4x4", "--strategy", "box"})
                .out.find("script\n  app = box "),
            std::string::npos);
}

TEST_F(BoxFiles, ErrorsSayWhereTheScriptIsWrong) {
  const std::string script = write("s.box", "net = machine\nnet.tilt x x 1\n");
  const std::vector<std::string> map = {"map", "ring:16", "-m", "torus:4x4"};
  const auto run_with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), map.begin(), map.end());
    return run_program(more);
  };
  const Outcome wrong = run_with({"--script", script});
  EXPECT_EQ(wrong.code, 3);
  EXPECT_NE(wrong.err.find(script + ":2:5: found the axis 0 as its own direction"),
            std::string::npos)
      << wrong.err;
  EXPECT_EQ(run_with({"--script", "no-such"}).code, 2);
  EXPECT_EQ(run_with({"--explain"}).code, 2);
  EXPECT_EQ(run_with({"--strategy", "linear", "--script", script}).code, 2);
  EXPECT_EQ(run_program(
                {"map", "ring:8", "-m", "torus:4x4", "--script", write("t.box", "net = machine\n")})
                .code,
            1);
}

std::string content(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The page of two maps on a torus, and what cannot be drawn.
TEST_F(BoxFiles, TrafficIsDrawn) {
  const std::string a = folder_ + "/a<b>.map", page = folder_ + "/page.html",
                    svg = folder_ + "/t.svg";
  ASSERT_EQ(run_program({"map", "stencil:4x4x4/ring:64", "-m", "torus:4x4x4", "--strategy",
                         "random", "-o", a})
                .code,
            0);
  const std::vector<std::string> show = {"show",       a, a, "--app", "stencil:4x4x4/ring:64", "-m",
                                         "torus:4x4x4"};
  const auto show_with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), show.begin(), show.end());
    return run_program(more);
  };
  const Outcome drawn = show_with({"--html", page, "--svg", svg});
  ASSERT_EQ(drawn.code, 0) << drawn.err;
  const std::string html = content(page), picture = content(svg);
  EXPECT_EQ(html.find("<!DOCTYPE html>"), 0U);
  EXPECT_NE(html.find("a&lt;b&gt;.map"), std::string::npos);
  EXPECT_EQ(html.find("a<b>"), std::string::npos);
  EXPECT_EQ(html.find("http"), std::string::npos);  // nothing is fetched
  EXPECT_EQ(picture.find("<svg "), 0U);
  EXPECT_EQ(run_program({"show", a, "--html", page}).code, 2);
  ASSERT_EQ(run_program({"map", "ring:8", "-m", "dgx1-v100", "-o", a}).code, 0);
  EXPECT_EQ(run_program({"show", a, "--app", "ring:8", "-m", "dgx1-v100", "--html", page}).code, 0);
  EXPECT_EQ(run_program({"show", a, "--app", "ring:8", "-m", "dgx1-v100", "--svg", svg}).code, 1);
}

}  // namespace
}  // namespace rankmap::test
