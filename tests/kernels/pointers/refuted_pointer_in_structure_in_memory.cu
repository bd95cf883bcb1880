// Structures in memory hold a pointer and a length each, and all blocks take the first one.
// launch: grid=any block=64
struct Row {
  float *data;
  int length;
};
__global__ void k(const Row *rows) {
  Row row = rows[0];
  for (int i = threadIdx.x; i < row.length; i += 64)
    row.data[i] = blockIdx.x; // ~ HD0102
}
