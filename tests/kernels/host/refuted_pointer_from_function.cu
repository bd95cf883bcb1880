// The kernel that a function chooses is launched with more threads than it is written for.
// launch: as-launched
typedef void (*kernel_type)(int *, int);
template <bool down> __global__ void k(int *out, int width) {
  int at = blockIdx.x * 32 + threadIdx.x;
  if (at < width) out[at] = down ? blockIdx.x : threadIdx.x;  // ~ HD0102
}
kernel_type pick(bool down) {
  if (down) return k<true>;
  return k<false>;
}
void run(int *out, int width, bool down) {
  kernel_type kernel = pick(down);
  kernel<<<(width + 31) / 32, 64>>>(out, width);
}
