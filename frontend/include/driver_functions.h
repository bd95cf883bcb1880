// Functions of the runtime that need nothing of a kernel.
#pragma once
#include "cuda_runtime.h"
