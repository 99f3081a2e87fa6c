#include "carom/scene/document/json_value.h"

#include <gtest/gtest.h>

#include <string>

namespace carom::scene {
namespace {

TEST(JsonValue, AnObjectIsWrittenAgainAsItWasRead) {
  const std::string text =
      R"({"z":1,"a":[true,false,null,-2,2.5,1e-07],"text":"ä \"quoted\" \n","inner":{"empty":{},"list":[]}})";
  const auto object = parse_json_object(text);
  ASSERT_TRUE(object);
  EXPECT_EQ(object->dump(), text);
}

TEST(JsonValue, WhatIsNoObjectIsNotTaken) {
  for (const std::string text : {"", "[1]", "1", "null", "{\"a\":}", "{\"a\":1} x", "{\"a\":1e999}"}) {
    EXPECT_FALSE(parse_json_object(text)) << text;
  }
}

}  // namespace
}  // namespace carom::scene
