// Part of the library for sparse linear algebra.
#pragma once
#include "cusparse.h"
