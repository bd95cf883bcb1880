// One pointer of an argument, read at a place that is computed and at one that is not: for n % 4 == 0 it is the same.
// launch: grid=1 block=64
struct Lists {
  int *list[4];
};

__global__ void both(Lists lists, int n) {
  int i = threadIdx.x;
  lists.list[0][i] = 1; // ~ HD0002
  lists.list[n & 3][63 - i] = i;
}
