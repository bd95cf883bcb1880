// Of branches on an argument each launch takes one, so that their places may overlap.
// launch: grid=1 block=64
__global__ void k(int *out, int mode) {
  int i = threadIdx.x;
  if (mode == 0)
    out[i] = 0;
  else if (mode == 1)
    out[i + 1] = 1;
  else if (mode + 3 == 5)
    out[63 - i] = 2;
  else
    out[2 * i] = 3;
}
__global__ void chosen(int *out, int mode) {
  int i = threadIdx.x;
  switch (mode) {
  case 4:
    out[i] = 0;
    break;
  case 9:
    out[i + 1] = 1;
    break;
  }
}
