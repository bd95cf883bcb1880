// A race that its author means, with the reason.
__global__ void k(int *found) {
  // heddle: allow(HD0101) any winner will do
  found[0] = threadIdx.x;
}
