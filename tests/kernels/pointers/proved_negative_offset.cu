// A pointer to the middle of an array is indexed by negative and positive offsets.
// launch: grid=1 block=64
__global__ void k(int *out) {
  int *middle = out + 32;
  middle[(int)threadIdx.x - 32] = threadIdx.x;
}
