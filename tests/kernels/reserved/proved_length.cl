// Each work-item reserves as many elements as it has, with one addition, and fills exactly these.
// launch: grid=any block=64
__kernel void k(__global const int *length, __global int *out, __global int *tail) {
  int d = max(length[get_global_id(0)], 0);
  int first = atomic_add(tail, d);
  for (int i = 0; i < d; i++)
    out[first + i] = i;
}
