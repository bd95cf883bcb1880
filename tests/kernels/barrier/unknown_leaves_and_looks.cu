// A thread leaves the loop early and looks at a flag that is raised later; run after the loop it would see it raised.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ int flag, z;
  if (threadIdx.x == 0) { flag = 0; z = 0; }
  __syncthreads();
  for (int i = 0; i < 6; i++) {
    if (threadIdx.x == 0 && i == 1) out[0] = z;
    if (threadIdx.x == 9 && i == 1) {
      if (flag) z = 1;  // ~ HD0002
      return;
    }
    __syncthreads();                       // ~ HD0203
    if (threadIdx.x == 0 && i == 4) flag = 1;  // ~ HD0002
    __syncthreads();                       // ~ HD0203
  }
}
