// Where a thread of a one-dimensional grid stands.
#pragma once
__device__ inline int index_in_grid() { return blockIdx.x * blockDim.x + threadIdx.x; }
