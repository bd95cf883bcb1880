// Floats of 16 bits.
#pragma once
#include "cuda_fp16.h"
