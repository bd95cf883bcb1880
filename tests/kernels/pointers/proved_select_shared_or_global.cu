// A pointer to shared or to global memory is chosen by a parameter and written at the thread's slot.
// launch: grid=1 block=64
__global__ void k(int *out, int direct) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int *target = direct ? out : s;
  target[t] = t * t;
  __syncthreads();
  if (!direct)
    out[t] = s[63 - t];
}
