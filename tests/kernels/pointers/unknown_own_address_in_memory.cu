// Thread 0 puts the address of shared memory into a list in global memory, and thread 1 writes through it.
// launch: grid=1 block=64
struct Node {
  Node *next;
  int value;
};
__global__ void k(Node *head) {
  __shared__ Node own;
  if (threadIdx.x == 0) {
    own.value = 0;
    own.next = nullptr;
    head->next = &own;
  }
  __syncthreads();
  if (threadIdx.x == 1)
    head->next->value = 1;  // ~ HD0002
  if (threadIdx.x == 33)
    own.value = 2;
}
