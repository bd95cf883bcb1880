// Arithmetic of short vectors, by its name before CUDA 5.
#pragma once
#include "helper_math.h"
