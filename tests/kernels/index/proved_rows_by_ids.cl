// A row by the id in one dimension, its length by the size of the other.
// launch: grid=any block=any
kernel void rows(global float *out, int n) {
  int i = get_global_id(1) * get_global_size(0) + get_global_id(0);
  if (i < n) out[i] = i;
}
