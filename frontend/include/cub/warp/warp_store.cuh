// Part of CUB.
#pragma once
#include "../cub.cuh"
