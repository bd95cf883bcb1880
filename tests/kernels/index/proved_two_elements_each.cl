// Groups of twice as many elements as threads, by sums of 64 bits that are cut to 32.
// launch: grid=any block=any
kernel void halves(global float *out, int n) {
  int i = get_group_id(0) * get_local_size(0) * 2 + get_local_id(0);
  int j = i + get_local_size(0);
  if (i < n) out[i] += 1.0f;
  if (j < n) out[j] += 2.0f;
}
