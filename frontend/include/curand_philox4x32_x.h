// Random numbers of kernels.
#pragma once
#include "curand_kernel.h"
