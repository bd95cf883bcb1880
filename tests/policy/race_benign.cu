// The same by the macro of heddle.h.
#include "heddle.h"
__global__ void k(int *found) {
  HEDDLE_BENIGN("any winner will do") found[0] = threadIdx.x;
}
