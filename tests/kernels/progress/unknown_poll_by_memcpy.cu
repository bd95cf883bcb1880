// Both blocks poll for what either writes afterwards only; the polled value goes through a copy of an array.
// launch: grid=2 block=32
__global__ void k(int *flag, int n) {
  if (threadIdx.x != 0)
    return;
  int seen[2] = {0, 0}, copy[2];  // ~ HD0001
  do {
    seen[n & 1] = atomicAdd(flag, 0);
    memcpy(copy, seen, sizeof copy);
  } while (copy[n & 1] == 0);
  atomicExch(flag, 1);
}
