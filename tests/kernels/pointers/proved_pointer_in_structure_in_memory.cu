// Structures in memory hold a pointer and a length each.
// launch: grid=any block=64
struct Row {
  float *data;
  int length;
};
__global__ void k(const Row *rows) {
  Row row = rows[blockIdx.x];
  for (int i = threadIdx.x; i < row.length; i += 64)
    row.data[i] = i;
}
