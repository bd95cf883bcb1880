// A structure too large for registers says a stride that is too small.
// launch: as-launched
struct Shape { int *data; long n[3]; int stride[4]; };
__global__ void k(Shape shape) {
  int i = threadIdx.x, j = blockIdx.x;
  if (i < shape.n[0] && j < shape.n[1]) shape.data[j * shape.stride[1] + i * shape.stride[0]] = i;  // ~ HD0102
}
void run(int *data, int rows) {
  Shape shape = {};
  shape.data = data;
  shape.n[0] = 100;
  shape.n[1] = rows;
  shape.stride[0] = 1;
  shape.stride[1] = 64;
  if (rows > 0) k<<<rows, 128>>>(shape);
}
