// Numbers of a sub-group's lanes, of which nothing is known and which touch nothing.
// launch: grid=any block=any
#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle_relative : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_non_uniform_arithmetic : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_clustered_reduce : enable
kernel void numbers(global int *data) {
  size_t i = get_global_id(0);
  int value = data[i];
  uint4 votes = sub_group_ballot(value > 0);
  value += sub_group_ballot_bit_count(votes) + sub_group_shuffle_up(value, 1);
  value += sub_group_non_uniform_scan_exclusive_add(value) + sub_group_clustered_reduce_max(value, 4);
  data[i] = value + work_group_scan_inclusive_add(value);
}
