// Assembly writes a variable by its name, which nothing else in the source says.
// launch: grid=1 block=64
static __device__ int s = 1;
__global__ void k(int *a) {
  if (threadIdx.x == 40) asm volatile("st.global.u32 [_ZL1s], 0;" ::: "memory"); // ~ HD0101
  a[threadIdx.x] = s;
}
