// A counter that begins anew never comes to its bound.
// launch: grid=3 block=1 passes=progress
__global__ void k(int *flag) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0)
    for (unsigned i = 0; i < 8 && atomicAdd(flag, 0) == 0; i = (i + 1) & 7) { // ~ HD0501
    }
  if (blockIdx.x == 2) atomicExch(flag, 1);
}
