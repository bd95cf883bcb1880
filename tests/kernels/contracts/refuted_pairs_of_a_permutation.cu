// Numbers of 64 bits are none of the elements that are said to differ.
// launch: grid=1 block=32 n=32
#include "heddle.h"
__global__ void k(float *out, const int *perm, int n) {
  heddle_injective(perm, 2 * n);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[reinterpret_cast<const unsigned long long *>(perm)[i] % 4] = i;   // ~ HD0101
}
