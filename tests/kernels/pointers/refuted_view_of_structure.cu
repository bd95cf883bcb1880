// A view of a structure that was passed by value leads to its numbers, which stay those of the launch; a width of zero puts all rows in one place.
// launch: grid=4 block=64
struct Row {
  float *data;
  const int *strides;
  __device__ float &operator[](int column) const { return data[strides[0] * column]; }
};
struct Rows {
  float *data;
  const int *strides;
  __device__ Row operator[](int row) const { return {data + strides[0] * row, strides + 1}; }
};
struct Matrix {
  float *data;
  int sizes[2], strides[2];
  __device__ Row operator[](int row) const { return Rows{data, strides}[row]; }
};
__global__ void view_of_structure(Matrix in, float *sums, int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= in.sizes[0])
    return;
  float sum = 0;
  for (int column = 0; column < in.sizes[1]; ++column)
    sum += in[row][column];
  sums[row * width] = sum; // ~ HD0101
}
