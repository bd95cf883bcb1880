// Which of two numbers in memory is the pointer, and which the distance, is not said.
// launch: grid=1 block=64
__global__ void k(char **rows, const long long *distances) {
  rows[threadIdx.x][distances[threadIdx.x]] = 1; // ~ HD0002
}
