// Whether two members of a structure lead to one place is the host's to say, and the host gives one twice.
// launch: as-launched passes=races
struct Pair {
  int *one, *other;
};
__global__ void k(Pair pair, int *out) {
  if (pair.one != pair.other)
    out[0] = threadIdx.x; // ~ HD0002
}
void run(int *buffer, int *out) {
  Pair pair = {buffer, buffer};
  k<<<1, 64>>>(pair, out);
}
