// The same, where groups lie as if they had as many elements as threads.
// launch: grid=2 block=8
kernel void halves(global float *out, int n) {
  int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
  int j = i + get_local_size(0);
  if (i < n) out[i] += 1.0f; // ~ HD0102
  if (j < n) out[j] += 2.0f;
}
