// The grid-stride loop with a counter of 64 bits: a step that cannot overflow is no reason to doubt the first round.
// launch: grid=any block=any
kernel void add(global float *out, int n) {
  for (size_t i = get_global_id(0); i < n; i += get_global_size(0))
    out[i] += 1.0f;
}
