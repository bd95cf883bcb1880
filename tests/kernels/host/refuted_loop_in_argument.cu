// The same buffer twice, beside an argument that a loop computes.
// launch: as-launched
__global__ void shift(int *out, const int *in, int n) {
  out[threadIdx.x] = in[threadIdx.x + 1] + n;  // ~ HD0101
}

static int halvings(int n) {
  int count = 0;
  while (n >>= 1) count++;
  return count;
}

int main(int count, char **) {
  int *data;
  cudaMalloc(&data, 4096);
  shift<<<1, 32>>>(data, data, halvings(count));
}
