// The arms of a branch write to elements that the other arm never uses.
// launch: grid=1 block=64
__global__ void k(int *out) {
  int t = threadIdx.x;
  if (t % 2)
    out[t] = 1;
  else
    out[t + 64] = t;
}
