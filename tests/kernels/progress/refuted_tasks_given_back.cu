// What a block adds it takes back, and waits for another to add more.
// launch: grid=3 block=1 passes=progress
__global__ void k(int *head) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0)
    while (atomicAdd(head, 1) < 3) atomicSub(head, 1); // ~ HD0501
  if (blockIdx.x == 2) atomicAdd(head, 7);
}
