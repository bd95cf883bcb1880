// The last group by ticket adds up what all groups wrote; the barriers around the ticket have the scope of the device.
// launch: grid=4 block=32
kernel void total(global int *part, global atomic_int *done, global int *out) {
    const int item = get_local_id(0);
    if (item == 0)
        part[get_group_id(0)] = 5; // ~ HD0002
    work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
    int got = 0;
    if (item == 0)
        got = atomic_fetch_add_explicit(done, 1, memory_order_relaxed, memory_scope_device);
    work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
    if (item == 0 && got == 3)
        out[0] = part[0] + part[1] + part[2] + part[3];
}
