// Matrices of warps.
#pragma once
#include "../mma.h"
