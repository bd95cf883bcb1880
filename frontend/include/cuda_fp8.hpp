// Floats of 8 bits.
#pragma once
#include "cuda_fp8.h"
