// A sum of floats over each sub-group is no barrier and touches no memory, and how large a sub-group is is a number.
// launch: grid=4 block=64 passes=barrier-divergence,races
kernel void sums(global const float *in, global float *out, global uint *sizes) {
  size_t i = get_global_id(0);
  float sum = sub_group_reduce_add(in[i]);
  out[i] = sum;
  sizes[i] = get_sub_group_size() + get_max_sub_group_size();
}
