// A block that adds two comes by every second number only, until another adds one.
// launch: grid=3 block=1 passes=progress
__global__ void k(int *head) {
  if (blockIdx.x == 0)
    while (atomicAdd(head, 2) < 0x7fffffff) { // ~ HD0002
    }
  if (blockIdx.x == 2) atomicAdd(head, 1);
}
