// A flag that is compared as a float: which value lets the reader go on is not followed, so no run may say it.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ volatile float flag;
  __shared__ int data;
  int t = threadIdx.x;
  if (t == 0) flag = 0;
  __syncthreads();
  if (t == 0) {
    data = 5; // ~ HD0002
    __threadfence_block();
    flag = 1;
  }
  if (t == 32) {
    while (flag == 0.0f) continue; // ~ HD0002
    __threadfence_block();
    data = 6;
  }
  __syncthreads();
  out[t] = data;
}
