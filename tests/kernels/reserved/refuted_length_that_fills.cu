// All threads but one add a sixteenth of what the counter holds: it wraps around in every run.
// launch: grid=1 block=64
__global__ void append(int *out, int *tail) {
  int t = threadIdx.x;
  int first = atomicAdd(tail, t == 0 ? 1 : 0x10000000);
  out[first & 0x7fffffff] = t; // ~ HD0101
}
