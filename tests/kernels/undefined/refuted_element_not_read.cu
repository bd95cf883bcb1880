// What is said of the elements of `t` says nothing of threads that read none.
// launch: grid=1 block=32 assume=range(t,100,0,100)
__global__ void k(int *x, int n, const int *t) {
  int at = threadIdx.x / 2;
  if (n < 21475)
    at = threadIdx.x * 100 + t[n * 100000];
  x[at] = threadIdx.x; // ~ HD0101
}
