#include "tests/cli/run_program.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace rankmap::test {
namespace {

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void redirect(const std::string& path, int flags, int descriptor) {
  constexpr int mode = 0600;
  const int file = ::open(path.c_str(), flags, mode);
  if (file < 0 || ::dup2(file, descriptor) < 0) ::_exit(120);
}

[[noreturn]] void become(const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {RANKMAP_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execv(argv[0], argv.data());
  ::_exit(121);
}

}  // namespace

Outcome run_program(const std::vector<std::string>& arguments, const std::string& input) {
  std::string folder = "/tmp/rankmap_cli_test.XXXXXX";
  if (::mkdtemp(folder.data()) == nullptr) return {};
  std::ofstream(folder + "/in") << input;
  const pid_t child = ::fork();
  if (child == 0) {
    redirect(folder + "/in", O_RDONLY, STDIN_FILENO);
    redirect(folder + "/out", O_WRONLY | O_CREAT, STDOUT_FILENO);
    redirect(folder + "/err", O_WRONLY | O_CREAT, STDERR_FILENO);
    become(arguments);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  Outcome outcome;
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.out = content_of(folder + "/out");
  outcome.err = content_of(folder + "/err");
  for (const char* name : {"/in", "/out", "/err"}) std::remove((folder + name).c_str());
  ::rmdir(folder.c_str());
  return outcome;
}

}  // namespace rankmap::test
