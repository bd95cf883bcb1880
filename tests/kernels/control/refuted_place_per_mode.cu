// A launch may take both of two branches that do not exclude each other, and threads choose for themselves.
// launch: grid=1 block=64
__global__ void both(int *out, int mode) {
  int i = threadIdx.x;
  if (mode == 0)
    out[i] = 0;   // ~ HD0101
  if (mode != 1)
    out[i + 1] = 1;
}
__global__ void each(int *out, int mode) {
  int i = threadIdx.x;
  if (mode == i)
    out[0] = 5;   // ~ HD0101
  else if (mode + 1 == i)
    out[0] = 6;
}
__global__ void loaded(int *out, const int *mode) {
  int i = threadIdx.x;
  if (mode[i] == 0)
    out[i] = 0;   // ~ HD0101
  else if (mode[i] == 1)
    out[i + 1] = 1;
}
