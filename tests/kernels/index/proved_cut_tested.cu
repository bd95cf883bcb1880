// The same test, beside stores that no two threads share.
// launch: grid=any block=any
__global__ void k(int *out, int a, int b) {
  long long whole = (long long)a * b;
  int cut = whole;
  if (cut == whole) return;
  out[blockIdx.x * blockDim.x + threadIdx.x] = cut;
}
