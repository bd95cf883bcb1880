// Whether a member of a structure is aligned is the host's to say.
// launch: as-launched passes=races
struct Buffer {
  int *start;
};
__global__ void k(Buffer buffer, int *out) {
  if ((size_t)buffer.start % 16 == 0)
    out[0] = threadIdx.x; // ~ HD0002
}
void run(int *all, int *out) {
  Buffer buffer = {all + 1};
  k<<<1, 64>>>(buffer, out);
}
