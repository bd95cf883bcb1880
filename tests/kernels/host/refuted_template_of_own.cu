// A template of the program's own, with a name of the runtime, hands out one and the same buffer.
// launch: as-launched
static int pool[1024];

template <int KIND, class T> cudaError_t cudaMalloc(T **at, size_t) {
  *at = reinterpret_cast<T *>(pool);
  return cudaSuccess;
}

__global__ void shift(int *out, int *in) {
  out[threadIdx.x] = in[threadIdx.x + 1]; // ~ HD0101
}

int main() {
  int *out, *in;
  cudaMalloc<0>(&out, 4096);
  cudaMalloc<0>(&in, 4096);
  shift<<<1, 64>>>(out, in);
}
