// A counter that may be its bound, the largest number, wraps around there.
// launch: grid=3 block=1 bound=255 passes=progress
__global__ void k(int *flag, unsigned char bound) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0)
    for (unsigned char i = 200; i <= bound && atomicAdd(flag, 0) == 0; i++) { // ~ HD0501
    }
  if (blockIdx.x == 2) atomicExch(flag, 1);
}
