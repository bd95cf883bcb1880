// A barrier with the scope of the device is one between a releasing and an acquiring fence: the flag of work-item 0 needs no fence of its own.
// launch: grid=2 block=64 passes=races
kernel void publish(global int *data, global atomic_int *flag, global int *out) {
    const int item = get_local_id(0);
    if (get_group_id(0) == 0) {
        if (item == 0)
            data[0] = 5;
        work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
        if (item == 0)
            atomic_store_explicit(flag, 1, memory_order_relaxed, memory_scope_device);
    } else {
        if (item == 0)
            while (atomic_load_explicit(flag, memory_order_relaxed, memory_scope_device) != 1)
                ;
        work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
        if (item == 0)
            out[0] = data[0];
    }
}
