// The same without a reason: nothing is allowed.
__global__ void k(int *found) {
  found[0] = threadIdx.x;  // heddle: allow(HD0101)
}
