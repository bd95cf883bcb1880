// What names of the C++ library nvcc brings along with this header; all else is in the header that each file starts with.
#pragma once
#include "heddle/device.h"
#if __has_include(<utility>)
extern "C++" {
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>
#include <type_traits>
#include <utility>
}
#endif
