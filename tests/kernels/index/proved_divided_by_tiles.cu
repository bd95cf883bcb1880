// A product of a constant and a size divides as the two do.
// launch: grid=any block=any assume="w > 0"
__global__ void k(int *out, int w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int tile = i / (32 * w), row = i / w % 32, column = i % w;
  out[(tile * 32 + row) * w + column] = i;
}
