// A block write of Intel's to an image, whose texels lanes share out.
// launch: grid=any block=64
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
void __attribute__((overloadable)) intel_sub_group_block_write(write_only image2d_t image, int2 at, uint value);
kernel void f(write_only image2d_t image) {
  intel_sub_group_block_write(image, (int2)(0, 0), (uint)get_global_id(0)); // ~ HD0001
}
