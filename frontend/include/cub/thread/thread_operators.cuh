// Part of CUB.
#pragma once
#include "../../cub/cub.cuh"
