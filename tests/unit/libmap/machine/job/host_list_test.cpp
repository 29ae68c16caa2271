// Lists of hosts as Slurm compresses them.
#include "libmap/machine/job/host_list.hpp"

#include <gtest/gtest.h>

#include "libmap/base/error.hpp"
#include "libmap/base/random.hpp"
#include "libmap/base/text.hpp"

namespace rankmap {
namespace {

using Hosts = std::vector<std::string>;

Hosts expand(std::string_view list) {
  return expand_host_list(list, "SLURM_JOB_NODELIST");
}

// What is wrong with a list; "" where it is taken.
std::string complaint(std::string_view list) {
  try {
    expand(list);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(HostList, TakesPlainNames) {
  EXPECT_EQ(expand("login1"), Hosts{"login1"});
  EXPECT_EQ(expand("b,a,c.site.org"), (Hosts{"b", "a", "c.site.org"}));
  EXPECT_EQ(expand(" n0 , n1"), (Hosts{"n0", "n1"}));
}

TEST(HostList, ExpandsRangesInTheirOrder) {
  EXPECT_EQ(expand("n[3-5]"), (Hosts{"n3", "n4", "n5"}));
  EXPECT_EQ(expand("n[7,1-2]"), (Hosts{"n7", "n1", "n2"}));
  EXPECT_EQ(expand("n[1-2],login[9]"), (Hosts{"n1", "n2", "login9"}));
  EXPECT_EQ(expand("n[4-4]-ib"), Hosts{"n4-ib"});
}

TEST(HostList, KeepsLeadingZeros) {
  EXPECT_EQ(expand("n[08-11]"), (Hosts{"n08", "n09", "n10", "n11"}));
  EXPECT_EQ(expand("n[098-101]"), (Hosts{"n098", "n099", "n100", "n101"}));
  EXPECT_EQ(expand("n[8-11]"), (Hosts{"n8", "n9", "n10", "n11"}));
  EXPECT_EQ(expand("n[000]"), Hosts{"n000"});
}

TEST(HostList, MultipliesSeveralBrackets) {
  EXPECT_EQ(expand("r[0-1]n[02-03]"), (Hosts{"r0n02", "r0n03", "r1n02", "r1n03"}));
  EXPECT_EQ(expand("x[1-2]y[3]z[4-5]-s").size(), 4U);
  EXPECT_EQ(expand("[1-2][1-2]"), (Hosts{"11", "12", "21", "22"}));
}

struct Wrong {
  const char* list;
  const char* why;
};

TEST(HostList, SaysWhatIsWrong) {
  const Wrong table[] = {
      {"", "a name is empty"},
      {"n0,,n1", "a name is empty"},
      {"n0,", "a name is empty"},
      {"n[1-2", "a bracket is not closed"},
      {"n]1[", "a bracket stands where none can be"},
      {"n[1[2]]", "a bracket stands where none can be"},
      {"n[5-1]", "the range \"5-1\" is none"},
      {"n[]", "the range \"\" is none"},
      {"n[a-b]", "the range \"a-b\" is none"},
      {"n[1-2-3]", "the range \"1-2-3\" is none"},
      {"n[-3]", "the range \"-3\" is none"},
      {"n[99999999999999999999]", "the range \"99999999999999999999\" is none"},
      {"n0 n1", "a name has a blank in it"},
      {"n0\tn1", "a name has a blank in it"},
  };
  for (const Wrong& row : table) {
    const std::string said = complaint(row.list);
    EXPECT_TRUE(said.starts_with("SLURM_JOB_NODELIST: found the host list ")) << said;
    EXPECT_NE(said.find(row.why), std::string::npos) << row.list << ": " << said;
    EXPECT_TRUE(said.ends_with("expected one like n[01-04,07],login1")) << said;
  }
}

TEST(HostList, ShowsTheBeginningOfALongList) {
  std::string list(5000, 'n');
  list.back() = '[';
  const std::string said = complaint(list);
  EXPECT_LT(said.size(), 250U);
  EXPECT_NE(said.find("..."), std::string::npos);
}

TEST(HostList, HasALimitOfHosts) {
  EXPECT_EQ(expand("n[0-1048575]").size(), most_hosts);
  std::string names = "a";
  for (std::size_t i = 0; i < most_hosts; ++i) names += ",a";
  EXPECT_NE(complaint(names).find("of more than 1048576 hosts"), std::string::npos);
  for (const char* list :
       {"n[0-1048576]", "n[0-18446744073709551615]", "a,n[0-1048575]", "n[0-1048575],a",
        "n[0-1023][0-1023][0-1]", "n[0-1048575][0-1048575]", "n[0-600000,0-600000]"})
    EXPECT_NE(complaint(list).find("of more than 1048576 hosts"), std::string::npos) << list;
}

// A million hosts whose names have a hundred thousand letters would not fit any memory.
TEST(HostList, HasALimitOfLetters) {
  const std::string letters(100000, 'n'), zeros(100000, '0');
  for (const std::string& list :
       {letters + "[0-1048575]", "n[" + zeros + "-1048575]", "n[0-1048575]" + letters, letters})
    EXPECT_NE(complaint(list).find("a name is longer than 255 letters"), std::string::npos);
  EXPECT_EQ(expand(std::string(255, 'n')).front().size(), 255U);
}

TEST(HostList, TakesOrRefusesAnyGarbage) {
  constexpr std::string_view letters = "n0123456789[]-,,[]-. \t\x80";
  Random random(3);
  int taken = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string list;
    for (std::uint64_t length = random.below(16); length > 0; --length)
      list += letters[random.below(letters.size())];
    try {
      for (const std::string& host : expand(list)) {
        EXPECT_FALSE(host.empty());
        EXPECT_EQ(host.find_first_of("[], \t"), std::string::npos) << list;
      }
      ++taken;
    } catch (const UsageError&) {
      continue;
    }
  }
  EXPECT_GT(taken, 1000);
  EXPECT_LT(taken, 19000);
}

}  // namespace
}  // namespace rankmap
