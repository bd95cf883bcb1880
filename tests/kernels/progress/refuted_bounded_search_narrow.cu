// A counter of a byte never comes to three hundred.
// launch: grid=3 block=1 bound=300 passes=progress
__global__ void k(int *flag, int bound) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0)
    for (unsigned char i = 0; i < bound && atomicAdd(flag, 0) == 0; i++) { // ~ HD0501
    }
  if (blockIdx.x == 2) atomicExch(flag, 1);
}
