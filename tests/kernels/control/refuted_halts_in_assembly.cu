// Threads that meet a bad value say which, unordered among them, and then spin for ever inside an assembly.
// launch: grid=1 block=64
__global__ void k(int *out, int *which, const int *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] < 0) {
    *which = i;  // ~ HD0101
    asm volatile("{\nHALT:\n nanosleep.u32 100;\n bra HALT;\n}" ::: "memory");
  }
  out[i] = in[i];
}
