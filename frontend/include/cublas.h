// The library for dense linear algebra.
#pragma once
#include "cublas_v2.h"
