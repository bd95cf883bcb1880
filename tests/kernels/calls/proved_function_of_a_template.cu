// A function of a template, which the linker may take from another file, is the same one there.
// launch: grid=2 block=64
template <class T> __device__ __noinline__ int place(T i) { return i; }

__global__ void store(int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[place(i)] = i;
}
