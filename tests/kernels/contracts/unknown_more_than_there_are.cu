// There are no 257 different bytes.
// launch: grid=1 block=64
#include "heddle.h"
__global__ void k(float *out, const unsigned char *perm) {
  heddle_injective(perm, 257);   // ~ HD0901
  out[0] = threadIdx.x;
}
