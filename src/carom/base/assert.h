#pragma once
/// CAROM_ASSERT: states what must hold unless we made a mistake ourselves. Never used on input: bad input is an
/// InputError (error.h), mathematics that does not work out is a result with a flag. Active where NDEBUG is not set.

#include <cassert>

#define CAROM_ASSERT(condition) assert(condition)
