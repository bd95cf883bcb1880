// A trap ends the launch wherever the stores would race.
// launch: grid=1 block=64 passes=races
__global__ void k(int *a, int n) {
  if (n < 64) __builtin_trap();
  if (n < 40) a[0] = threadIdx.x; // ~ HD0002
}
