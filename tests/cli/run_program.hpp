// Runs the program under test and keeps what it said.
#pragma once

#include <string>
#include <vector>

namespace rankmap::test {

struct Outcome {
  int code = -1;  // exit code; 128 + signal where it was killed
  std::string out;
  std::string err;
};

// `arguments` follow the program's name; `input` is its standard input.
Outcome run_program(const std::vector<std::string>& arguments, const std::string& input = "");

}  // namespace rankmap::test
