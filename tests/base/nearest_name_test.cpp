#include "carom/base/nearest_name.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace carom {
namespace {

constexpr std::array<std::string_view, 7> kLaws = {"compliant", "geometric",  "newton",       "poisson",
                                                   "rough",     "sequential", "superposition"};

TEST(EditDistance, CountsInsertionsDeletionsSubstitutionsAndSwaps) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("newton", "newton"), 0u);
  EXPECT_EQ(edit_distance("netwon", "newton"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("ca", "abc"), 3u);  // optimal string alignment, not the unrestricted distance 2
}

TEST(NearestName, FindsWhatWasMeant) {
  EXPECT_EQ(nearest_name("netwon", kLaws), "newton");
  EXPECT_EQ(nearest_name("Newton", kLaws), "newton");
  EXPECT_EQ(nearest_name("geometrical", kLaws), "geometric");
  EXPECT_EQ(nearest_name("compliamt", kLaws), "compliant");
  EXPECT_EQ(nearest_name("seq", kLaws), "sequential");
}

TEST(NearestName, FindsNothingWhereNothingIsNear) {
  EXPECT_EQ(nearest_name("x", kLaws), std::nullopt);
  EXPECT_EQ(nearest_name("", kLaws), std::nullopt);
  EXPECT_EQ(nearest_name("moreau", kLaws), std::nullopt);
  EXPECT_EQ(nearest_name("newton", {}), std::nullopt);
  EXPECT_EQ(nearest_name(std::string(100000, 'n'), kLaws), std::nullopt);
}

TEST(NearestName, TheSentenceListsTheKnownNames) {
  constexpr std::array<std::string_view, 2> kKnown = {"newton", "poisson"};
  EXPECT_EQ(unknown_name_message("law", "newtn", kKnown),
            "unknown law 'newtn'; did you mean 'newton'? known: newton, poisson");
  EXPECT_EQ(unknown_name_message("law", "a\nb", kKnown), "unknown law 'a\\x0Ab'; known: newton, poisson");
  EXPECT_EQ(unknown_name_message("key", "a", {}), "unknown key 'a'; known: none");
  constexpr std::string_view kControl[] = {"a\nb"};
  EXPECT_EQ(unknown_name_message("key", "c", kControl), "unknown key 'c'; known: a\\x0Ab");
  const std::vector<std::string_view> many(kMostNamesShown, "newton");
  EXPECT_NE(unknown_name_message("law", "newtn", many).find("known: newton, newton"), std::string::npos);
  const std::vector<std::string_view> too_many(kMostNamesShown + 1, "newton");
  EXPECT_EQ(unknown_name_message("law", "newtn", too_many), "unknown law 'newtn'; did you mean 'newton'?");
}

}  // namespace
}  // namespace carom
