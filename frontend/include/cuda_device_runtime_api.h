// The runtime as device code calls it.
#pragma once
#include "cuda_runtime.h"
