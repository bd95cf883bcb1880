// A store through a table of pointers changes a local variable of some threads, which decides a barrier.
// launch: grid=1 block=64
__global__ void k(int *out) {
  int t = threadIdx.x;
  int a = 0, b = 1;
  int *table[2] = {&a, &b};
  *table[t & 1] = 7; // ~ HD0002
  if (a == 7)
    __syncthreads(); // ~ HD0002
  out[t] = b;
  __syncthreads();
  out[t] = a;
}
