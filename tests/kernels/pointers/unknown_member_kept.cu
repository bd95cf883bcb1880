// Which pointer of a structure a thread stores differs only if they do.
// launch: as-launched passes=races
struct Pair {
  int *one, *other;
};
__global__ void k(Pair pair, int **out) {
  out[0] = threadIdx.x % 2 ? pair.one : pair.other; // ~ HD0002
}
void run(int *buffer, int **out) {
  Pair pair = {buffer, buffer};
  k<<<1, 64>>>(pair, out);
}
