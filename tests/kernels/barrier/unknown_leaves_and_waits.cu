// A thread leaves the loop early, and would wait at a barrier of its own if it saw a word that is written later.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ int word;
  int t = threadIdx.x;
  if (t == 0) word = 0;
  __syncthreads();
  for (int i = 0; i < 5; i++) {
    if (t == 7 && i == 1) {
      if (word) __syncthreads();           // ~ HD0002
      return;
    }
    __syncthreads();                       // ~ HD0002
    if (t == 0 && i == 3) word = 1;        // ~ HD0002
    __syncthreads();                       // ~ HD0002
  }
  out[t] = 1;
}
