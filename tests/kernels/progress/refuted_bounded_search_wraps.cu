// A counter by large steps wraps around before its bound.
// launch: grid=3 block=1 passes=progress
__global__ void k(int *flag) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0)
    for (unsigned i = 1; i < 0xf0000000u && atomicAdd(flag, 0) == 0; i += 0x80000000u) { // ~ HD0501
    }
  if (blockIdx.x == 2) atomicExch(flag, 1);
}
