// A pointer that is chosen from the array is also written to by its own place.
// launch: grid=1 block=64
struct Lists {
  int *out;
  int *list[4];
};

__global__ void both(Lists lists, int n) {
  int i = threadIdx.x;
  lists.out[i] = lists.list[n & 3][63 - i]; // ~ HD0002
  lists.list[2][i] = i;
}
