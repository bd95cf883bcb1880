// `%s` reads the text while another thread may write it.
// launch: grid=1 block=64
#include <cstdio>
__global__ void k() {
  __shared__ char text[64];
  text[threadIdx.x] = 'a';
  printf("%-10s\n", text);  // ~ HD0001
}
