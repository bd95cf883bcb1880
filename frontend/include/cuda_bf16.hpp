// Floats of 16 bits.
#pragma once
#include "cuda_bf16.h"
