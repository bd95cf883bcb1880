// Rows of any width, written sixteen bytes at a time, which are several stores of one instruction each.
// launch: grid=any block=any
struct alignas(16) Eight { short of[8]; };
__global__ void k(short *out, int width) {
  int at = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
  if (at >= width) return;
  Eight *to = (Eight *)(out + blockIdx.y * width + at);
  *to = Eight{{1, 2, 3, 4, 5, 6, 7, 8}};
}
