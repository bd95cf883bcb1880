// Sixteen times a pointer into one of two buffers may be moved on and rounded up: followed in a moment.
// launch: grid=1 block=64 passes=races
__device__ char *up(char *p) { return (char *)(((unsigned long long)p + 19) & ~15ull); }
__global__ void k(char *a, char *b, const int *steps, int which) {
  char *p = which ? a : b;
  if (steps[0])
    p = up(p);
  if (steps[1])
    p = up(p);
  if (steps[2])
    p = up(p);
  if (steps[3])
    p = up(p);
  if (steps[4])
    p = up(p);
  if (steps[5])
    p = up(p);
  if (steps[6])
    p = up(p);
  if (steps[7])
    p = up(p);
  if (steps[8])
    p = up(p);
  if (steps[9])
    p = up(p);
  if (steps[10])
    p = up(p);
  if (steps[11])
    p = up(p);
  if (steps[12])
    p = up(p);
  if (steps[13])
    p = up(p);
  if (steps[14])
    p = up(p);
  if (steps[15])
    p = up(p);
  p[threadIdx.x] = 1; // ~ HD0002
}
