// Two threads of one block meet as soon as it has more than 64: the annotations rule that out.
#include "heddle.h"
#define TILE 8
HEDDLE_GRID(1) HEDDLE_BLOCK(TILE, TILE) HEDDLE_ASSUME(n >= TILE * TILE && n < 1000)
__global__ void k(int *out, int n) {
  int t = threadIdx.y * 8 + threadIdx.x;
  out[t] = 1;
  out[t + n] = 2;
}
