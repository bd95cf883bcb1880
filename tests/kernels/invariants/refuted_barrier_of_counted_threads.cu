// The count reaches what is asked, in some threads before others.
// launch: grid=1 block=64
__global__ void k(int *out, const int *in, int n) {
  int done = 0;
  for (int i = 0; i < n; i++) {
    if (in[i * 64 + threadIdx.x] > 3) done = done < 5 ? done + 1 : done;
    if (done < 5) __syncthreads();   // ~ HD0201
  }
  out[threadIdx.x] = done;
}
