// A template that is declared without `static` and defined with it, as `nvcc` takes it.
// launch: as-launched
template <int THREADS> cudaError_t fill(float *out);

__global__ void one_each(float *out) { out[threadIdx.x] = threadIdx.x; }

template <int THREADS> static cudaError_t fill(float *out) {
  one_each<<<1, THREADS>>>(out);
  return cudaGetLastError();
}

template cudaError_t fill<64>(float *out);
