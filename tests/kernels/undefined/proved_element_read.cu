// As in refuted_element_not_read.cu, but each thread has a place of its own either way.
// launch: grid=1 block=32 assume=range(t,100,0,100)
__global__ void k(int *x, int n, const int *t) {
  int at = threadIdx.x;
  if (n < 21475)
    at = threadIdx.x * 100 + t[n * 100000];
  x[at] = threadIdx.x;
}
