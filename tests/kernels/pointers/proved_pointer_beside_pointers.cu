// A pointer of an argument beside an array of pointers, of which one is chosen: they lie at different places.
// launch: grid=1 block=64
struct Lists {
  int *out;
  int *list[4];
  int *last;
};

__global__ void both(Lists lists, int n) {
  int i = threadIdx.x;
  lists.out[i] = lists.list[n & 3][63 - i];
  lists.last[i] = lists.list[(n + 1) & 3][63 - i];
}
