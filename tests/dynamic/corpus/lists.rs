//! Kernels of the corpus of which a run says something else than the check, each with the reason.

const LATE: &str =
    "no schedule that is tried keeps the producer back until the arrivals it should not see";
const TENSORS: &str = "copies of tensors are refused by name";
const SOURCES: &str = "a run reads what is copied at once, and writes it at the wait";

const FUNCTIONS: &str = "a launch has no way to name the functions that the host passes";
const LARGE: &str = "a run has at most 2^31 threads";
const MADE_UP: &str = "the memory that is made up here breaks what it says of its arrays";

/// Refuted kernels that their witness does not trip, each with the reason.
pub(super) const NOT_SEEN: &[(&str, &str)] = &[
    ("atomics/refuted_two_scopes.cl", SCOPES),
    ("barrier/refuted_own_word_decides.cu", CONTENTS),
    ("barrier/refuted_row_is_left_out.cu", CONTENTS),
    ("reserved/refuted_length_unsigned.cu", CONTENTS),
    ("named/refuted_stored_then_waited_for_reads.cu", READ_WAITS),
    ("copies/refuted_bulk_reduction_read_back_read_wait.cu", READ_WAITS),
    ("phases/refuted_copies_told_beside_late.cu", AGAIN),
    ("phases/refuted_tiles_counted_anew.cu", LATE),
    ("products/refuted_tensor_memory_committed_before.cu", TENSOR_CORE),
    ("products/refuted_tensor_memory_given_back.cu", TENSOR_CORE),
    ("products/refuted_tensor_memory_not_waited_for.cu", TENSOR_CORE),
    (
        "named/refuted_ended_and_used.cu",
        "an object that is used after its end shows as the race that follows",
    ),
    ("reserved/refuted_ballot_of_the_others.cu", WRAPS),
    ("reserved/refuted_group_two_shuffles.cu", WRAPS),
    ("reserved/refuted_match_highest.cu", WRAPS),
    ("reserved/refuted_match_of_all.cu", WRAPS),
    (
        "progress/refuted_count_of_returned.cu",
        "threads that have returned skip its barrier, which is told first",
    ),
    ("progress/refuted_passed_on_to_block.cu", WAITED),
    ("progress/refuted_vote_about_flag.cu", WAITED),
    ("progress/refuted_retry_beside_a_write.cu", UNDOES),
    ("host/refuted_alias_handle.cu", IMAGES),
    ("host/refuted_ceiling_of_large.cu", LARGE),
    ("host/refuted_grids_in_long_array.cu", LARGE),
    ("host/refuted_listed_grid.cu", LARGE),
    ("host/refuted_listed_grid_in_one_row.cu", LARGE),
    ("host/refuted_template_of_own.cu", ONE_BUFFER),
    ("headers/refuted_accessor_of_tensor.cu", NO_BUFFER),
    ("pointers/refuted_view_of_view.cu", NO_BUFFER),
    ("host/refuted_alias_member.cu", NO_BUFFER),
    ("flags/refuted_opencl_scopes_differ.cl", SCOPES),
    ("calls/refuted_function_argument.cu", FUNCTIONS),
    ("calls/refuted_function_table.cu", FUNCTIONS),
    ("ptx/refuted_called_by_prototype.ptx", FUNCTIONS),
    ("calls/refuted_endless_function.cu", "a thread that never gets on ends by the time limit"),
    ("fences/refuted_flags_of_sub_group.cl", WIDTH),
    ("contracts/refuted_assert_is_not_assumed.cu", CLAIMS),
    ("contracts/refuted_assert_of_a_product.cu", CLAIMS),
    ("contracts/refuted_assert_of_a_sum.cu", CLAIMS),
    ("contracts/refuted_function_in_a_condition.cu", CLAIMS),
    ("contracts/refuted_local_that_was_loaded.cu", CLAIMS),
    ("contracts/refuted_work_items.cl", CLAIMS),
    ("invariants/refuted_circle.cu", CLAIMS),
    ("invariants/refuted_halved_by_data.cu", CLAIMS),
    ("invariants/refuted_inner_loop_up_to.cu", CLAIMS),
    ("invariants/refuted_loops_that_need_each_other.cu", CLAIMS),
    ("invariants/refuted_narrow_number_wraps.cu", CLAIMS),
    ("invariants/refuted_return_inside.cu", CLAIMS),
    ("invariants/refuted_third_iteration.cu", CLAIMS),
    ("invariants/refuted_unsigned_goes_below.cu", CLAIMS),
    ("invariants/refuted_wrong_one_is_not_used.cu", CLAIMS),
    ("copies/refuted_bulk_store_read_back_read_wait.cu", READ_WAITS),
    ("copies/refuted_group_tile_early_return.cl", LEFT),
    ("copies/refuted_group_collective_arguments.cl", GROUPS),
    ("copies/refuted_group_collective_some.cl", GROUPS),
    ("copies/refuted_group_collective_wait.cl", GROUPS),
    ("copies/refuted_rows_for_part_of_warp.cu", ROWS),
    ("copies/refuted_source_written_before_wait.cu", SOURCES),
    ("copies/refuted_zeros_for_part_of_source.cu", SOURCES),
    ("invariants/refuted_wraps_in_each_run.cu", CLAIMS),
    ("products/refuted_first_operand_in_registers_early.cu", MATRIX),
    ("products/refuted_one_for_a_warp_early.cu", MATRIX),
    ("products/refuted_one_for_a_warpgroup_counted_once.cu", MATRIX),
    ("products/refuted_one_for_a_warpgroup_early.cu", MATRIX),
    ("products/refuted_peeled_next_stage.cu", MATRIX),
    ("products/refuted_peeled_two_left.cu", MATRIX),
    ("products/refuted_ring_not_committed.cu", MATRIX),
    ("products/refuted_ring_one_left.cu", MATRIX),
    ("products/refuted_ring_one_waits_not.cu", MATRIX),
    ("products/refuted_ring_other_stage.cu", MATRIX),
    ("products/refuted_ring_parity.cu", MATRIX),
    ("products/refuted_ring_released_early.cu", MATRIX),
    ("products/refuted_stage_before_now.cu", MATRIX),
    ("products/refuted_tile_stored_no_wait.cu", MATRIX),
    ("products/refuted_tile_stored_wait_one_left.cu", MATRIX),
    ("products/refuted_two_tiles_wait_two_left.cu", MATRIX),
    ("phases/refuted_beside_data.cu", OBJECT),
    ("phases/refuted_pair_released_early.cu", LATE),
    ("barrier/refuted_continue.cu", MEETS),
    ("launch/refuted_more_groups_than_numbers.cl", WRAPS),
    ("launch/refuted_row_added_to_columns.cu", WRAPS),
    ("progress/refuted_exit_before_grid_barrier.cu", GONE),
    ("stencil/refuted_fetched_and_written.cu", IMAGES),
    ("stencil/refuted_long_buffer_image.cl", IMAGES),
    ("barrier/refuted_nested_loops.cu", MEETS),
    ("atomics/refuted_packed_and_whole.cu", PACKED),
    ("llvm/refuted_short_pointers.ll", SHORT),
    ("named/refuted_row_of_own_lane.cu", ROWS),
    ("cooperative/refuted_all_threads_but_one.cu", COMES),
    ("cooperative/refuted_block_returns.cu", COMES),
    ("cooperative/refuted_block_waits_alone.cu", COMES),
    ("cooperative/refuted_grid_stride.cu", COMES),
    ("cooperative/refuted_memory_by_block.cu", COMES),
    ("cooperative/refuted_rounds_by_block.cu", COMES),
    (
        "cooperative/refuted_block_both_branches.cu",
        "blocks that wait at two barriers of the grid go on together",
    ),
    ("flags/refuted_chain_negated.cu", "the accesses to the flag are what is seen first"),
    ("flags/refuted_chain_wrong_index.cu", WAITED),
    ("locks/refuted_lock_bounded_spin.cu", IN_TURN),
    (
        "locks/refuted_wide_store_releases.ll",
        "its atomic store is not aligned, and calls a function that native code lacks",
    ),
    ("layout/refuted_static_members.cu", NO_BUFFER),
    ("grid/refuted_goal_bounded.cu", "the blocks that run all come before the wait gives up"),
    ("locks/refuted_lock_that_others_free.cu", IN_TURN),
    ("flags/refuted_initialised_once_no_acquire.cu", OTHERS),
    ("flags/refuted_initialised_once_not_claimed.cu", OTHERS),
    ("flags/refuted_initialised_once_too_early.cu", OTHERS),
    ("flags/refuted_chain_bounded_poll.cu", SET_FIRST),
    ("flags/refuted_epoch.cu", SET_FIRST),
    ("flags/refuted_opencl_fences_turned.cl", BOTH_WAYS),
    ("locks/refuted_block_lock_per_tile.cu", WRAPS),
    ("flags/refuted_producers_no_release.cu", WAITED),
    ("index/refuted_constants_far_apart.cu", FAR_APART),
    (
        "loops/refuted_crosses_half_of_the_numbers.cu",
        "LLVM 22 takes its second loop for endless, and the code that it makes does not return",
    ),
    ("interblock/refuted_index_wraps.cu", WRAPS),
    ("launch/refuted_group_size_swapped.cl", WRAPS),
    ("layout/refuted_vector.cl", FAR),
    (
        "named/refuted_copy_without_arrival.cu",
        "a run takes what the issuer of a copy wrote for seen by those who wait for the copy",
    ),
    ("named/refuted_matrix_consumer.cu", MATRIX),
    ("progress/refuted_locks_with_back_off.cu", UNDOES),
    ("progress/refuted_spin_lock.cl", STOPS),
    (
        "progress/refuted_tasks_given_back.cu",
        "a block undoes its own steps for ever, and writes as it does",
    ),
    ("fences/refuted_append.cu", "one word is asked for by all, so one thread finds it free"),
    ("host/refuted_alias_by_caller.cu", ONE_BUFFER),
    ("host/refuted_parts_at_cut_count.cu", ONE_BUFFER),
    ("host/refuted_tensor_of_sizes.cu", NO_BUFFER),
    ("host/refuted_alias_halves_overlap.cu", ONE_BUFFER),
    ("host/refuted_halves_of_global.cu", ONE_BUFFER),
    ("host/refuted_alias_neighbour.cu", ONE_BUFFER),
    ("host/refuted_allocations_in_loop.cu", ONE_BUFFER),
    ("host/refuted_large_structure.cu", NO_BUFFER),
    ("host/refuted_pitched_structure.cu", NO_BUFFER),
    ("host/refuted_struct_changed.cu", NO_BUFFER),
    ("layout/refuted_struct_argument.cu", NO_BUFFER),
    ("pointers/refuted_field_twice.cu", NO_BUFFER),
    ("pointers/refuted_view_of_structure.cu", NO_BUFFER),
    ("pointers/refuted_matrix_of_block.cu", NO_BUFFER),
    ("loops/refuted_down_to_equal.cu", WRAPS),
    ("pointers/refuted_pointer_in_structure_in_memory.cu", NO_BUFFER),
    ("pointers/refuted_rows_in_memory.cu", NO_BUFFER),
    ("calls/refuted_integer_library.ll", LIBDEVICE),
    ("calls/refuted_reserved_registers.cu", REGISTERS),
    ("calls/refuted_second_result.ll", LIBDEVICE),
    ("stencil/refuted_image.cl", IMAGES),
    ("stencil/refuted_surface.cu", IMAGES),
    ("stencil/refuted_surface_function.cu", IMAGES),
    ("warp/refuted_matrix_intrinsics.ll", MATRIX),
    (
        "fences/refuted_scope_of_sub_group.cl",
        "a run takes a barrier to order memory for the work group, whatever its memory scope",
    ),
    (
        "launch/refuted_table_of_zeros.cu",
        "the compiler of the run reads the initialiser of a table that the host can set",
    ),
    ("headers/refuted_barrier_of_half.cu", AGAIN),
    (
        "named/refuted_again_while_copied.cu",
        "the copy of a run has ended when the object is initialised again",
    ),
    ("named/refuted_barrier_counts.ll", AGAIN),
    ("named/refuted_object_cleared.cu", OBJECT),
    ("named/refuted_object_counted.cu", OBJECT),
    ("named/refuted_object_shown.cu", OBJECT),
    ("named/refuted_object_under_copy.cu", OBJECT),
    ("named/refuted_scoped_arrival_counts.ll", SCOPED),
    ("named/refuted_scoped_bytes.ll", SCOPED),
    ("named/refuted_scoped_parity.ll", SCOPED),
    ("named/refuted_token_of_consumer.cu", TOKEN),
    ("named/refuted_token_of_phase_before.cu", TOKEN),
    ("named/refuted_token_of_round.cu", TOKEN),
    ("named/refuted_part_of_warp_counts_whole.cu", AGAIN),
    ("named/refuted_turns_both.cu", AGAIN),
];
const SCOPES: &str =
    "runs know whether a scope is wider than the block, not OpenCL's rule of equal scopes";
const CLAIMS: &str = "contracts are nothing in native code";
const WAITED: &str = "the blocks of its run wait for others, which are not in it";
const AGAIN: &str = "the barrier that is used again too early shows as the race that follows";
const LIBDEVICE: &str = "functions of libdevice are refused by name";
const PACKED: &str = "atomics on packed halves are refused by name";
const SHORT: &str = "pointers have 64 bits in native code";
const LEFT: &str = "a run reports no copy of the work-group that nobody has waited for";
const READ_WAITS: &str = "a run makes a bulk copy whole where its source is waited for";
const GROUPS: &str =
    "a run makes a copy of the work-group by its first work-item, and compares no arguments";
const ROWS: &str = "a run counts a row for the lane that gives its address";
const REGISTERS: &str = "registers that the driver sets are refused by name";
const IMAGES: &str = "images, surfaces and textures are refused by name";
const GONE: &str = "native code drops what stands before the mark of what is never reached";
const NO_BUFFER: &str = "pointers in a structure, or in memory, lead to no buffer";
const ONE_BUFFER: &str = "a run gives each pointer a buffer of its own";
const MEETS: &str =
    "the threads come to the barrier equally often, in different iterations: a run goes on";
const COMES: &str =
    "the barrier of the grid that some blocks never come to is reported as a deadlock";
const OBJECT: &str = "a run compares data in the bytes of a barrier object with no operation on it";
const SCOPED: &str =
    "the executor does not know the intrinsics of barrier objects that name a scope";
const TOKEN: &str = "the wait that ends too early shows as the race that follows";
const FAR_APART: &str = "its constants are 2^31 bytes apart, beyond all buffers";
const MATRIX: &str = "matrix instructions (`wgmma`) are refused by name";
const TENSOR_CORE: &str = "matrix instructions (`tcgen05`) are refused by name";
const FAR: &str =
    "its witness has a global offset with which addresses wrap around, beyond all buffers";
const UNDOES: &str =
    "two blocks undo each other's steps for ever, which the orders of a run do not keep up";
const STOPS: &str = "whoever has the lock is to stop, and a run lets each thread go on";
const WRAPS: &str = "its launch has 2^31 threads or more";
const CONTENTS: &str =
    "a run is given the numbers of the witness, not what memory held in its replay";
const BOTH_WAYS: &str = "a run takes each fence for one that goes both ways";
const SET_FIRST: &str = "the flag is set before it is asked for, in the order of its run";
const IN_TURN: &str = "one has the lock after the other, in each order that a run takes";
const OTHERS: &str = "a run shows the race of other threads than those of its witness";
const STEP: &str = "lanes run in step for the static check only (`--warp-sync`)";

/// Proved kernels that a run reports something for, each with the reason.
pub(super) const ALARMS: &[(&str, &str)] = &[
    ("barrier/proved_return_after_work.cu", LEAVES),
    ("calls/proved_rounds_that_wait.cu", "nobody writes what it waits for, which is not a race"),
    ("contracts/proved_permutation.cl", MADE_UP),
    ("contracts/proved_two_lists.cu", MADE_UP),
    (
        "flags/proved_writers_other_value.cu",
        "what it waits for may be overwritten before it is seen, and then it waits for ever",
    ),
    ("host/proved_argument_from_virtual.cu", GIVEN),
    ("host/proved_launch_beside_owner.cu", GIVEN),
    ("host/proved_padding_takes_no_register.cu", GIVEN),
    ("host/proved_pointer_back_from_other_file.cu", GIVEN),
    ("host/proved_pointer_from_function_kept.cu", GIVEN),
    ("host/proved_size_never_read.cu", GIVEN),
    ("host/proved_smaller_than_its_registers.cu", GIVEN),
    ("host/proved_class_with_copy.cu", GIVEN),
    ("host/proved_contents_of_memory.cu", GIVEN),
    ("host/proved_class_with_destructor.cu", GIVEN),
    ("index/proved_all_runs_wrap.cu", EXCLUDED),
    ("index/proved_pitch_in_bytes.cu", EXCLUDED),
    (
        "interblock/proved_tiles_drawn_in_rounds.cu",
        "its counter starts at some number, and not at zero",
    ),
    ("host/proved_cooperative_launch.cu", "its counter starts at some number, and not at zero"),
    ("named/proved_same_value_at_one_place.cu", PLACES),
    ("flags/proved_opencl_grid_barrier.cl", PARTLY),
    ("flags/proved_opencl_of_groups.cl", PARTLY),
    ("host/proved_optional_pointer.cu", GIVEN),
    ("host/proved_optional_pointer_tested.cu", GIVEN),
    ("host/proved_pitched_structure.cu", NO_BUFFER),
    ("host/proved_tiles_of_a_row.cu", GIVEN),
    ("host/proved_tiles_of_a_row_unsigned.cu", GIVEN),
    ("named/proved_before_its_pointer.cu", BEFORE),
    ("fences/proved_flags_of_sub_group.cl", WIDTH),
    ("named/proved_in_step.cu", STEP),
    ("named/proved_stores_in_step.cu", STEP),
    ("uninitialised/proved_tile.cu", BEYOND),
    ("named/proved_number_not_aligned.cu", PLACES),
    (
        "mlir/proved_grid_that_the_kernel_knows.mlir",
        "its file says that there is one block, its header nothing, and this run has four",
    ),
    ("named/proved_number_zero_two_places.cu", PLACES),
    ("named/proved_one_number_two_places.cu", PLACES),
    ("named/proved_reduction_in_step.cu", STEP),
    (
        "warp/proved_store_then_return.cu",
        "a run takes nothing that a lane did before it ended for ordered by a warp barrier",
    ),
];
const PARTLY: &str = "a run tells the block what one of its threads learned of others at a barrier for all memory, not at one for global memory";
const LEAVES: &str = "a thread that leaves the loop to return ends where the others end: a run takes the barrier for skipped";
const EXCLUDED: &str = "its scalars are numbers that its condition excludes";
const GIVEN: &str = "a run has arguments that the host does not give";
const BEFORE: &str = "an access before its buffer ends the thread, and others wait for it";
const WIDTH: &str = "how wide OpenCL's sub-groups are is said to the check alone";
const BEYOND: &str = "an access beyond its buffer ends the thread, and others wait for it";
const PLACES: &str = "the executor takes `bar.sync` of one number at two places for two barriers";

/// Kernels that the executor refuses, each with the reason.
pub(crate) const REFUSED: &[(&str, &str)] = &[
    (
        "contracts/proved_permutation_in_a_structure.cu",
        "what an array of a structure holds is not looked at in a run",
    ),
    ("atomics/proved_packed_and_half.cu", PACKED),
    ("calls/proved_integer_library.ll", LIBDEVICE),
    ("exchange/proved_sub_group_sum.cl", "sums of floats over sub-groups are refused by name"),
    ("calls/proved_reserved_registers.cu", REGISTERS),
    ("calls/proved_second_result.ll", LIBDEVICE),
    ("stencil/proved_fetched_and_written.cu", IMAGES),
    ("host/proved_alias_handle.cu", IMAGES),
    ("stencil/proved_image.cl", IMAGES),
    ("stencil/proved_image_fence.cl", IMAGES),
    ("stencil/proved_long_buffer_image.cl", IMAGES),
    ("stencil/proved_surface.cu", IMAGES),
    ("stencil/proved_surface_function.cu", IMAGES),
    ("phases/proved_tensors.cu", TENSORS),
    ("products/proved_blocks_of_columns.cu", MATRIX),
    ("products/proved_core_matrices.cu", MATRIX),
    ("products/proved_first_operand_in_registers.cu", MATRIX),
    ("products/proved_one_for_a_warp.cu", MATRIX),
    ("products/proved_one_for_a_warpgroup.cu", MATRIX),
    ("products/proved_one_for_a_warpgroup_of_one_block.cu", MATRIX),
    ("products/proved_peeled.cu", MATRIX),
    ("products/proved_peeled_of_one_block.cu", MATRIX),
    ("products/proved_peeled_tensors.cu", MATRIX),
    ("products/proved_ring.cu", MATRIX),
    ("products/proved_tensor_memory.cu", TENSOR_CORE),
    ("products/proved_tensor_memory_of_one_launch.cu", TENSOR_CORE),
    ("products/proved_ring_of_one_block.cu", MATRIX),
    ("products/proved_stage_before.cu", MATRIX),
    ("products/proved_tensors.cu", MATRIX),
    ("products/proved_tile_stored.cu", MATRIX),
    ("products/proved_two_tiles.cu", MATRIX),
    ("warp/proved_matrix_intrinsics.ll", MATRIX),
    ("interblock/proved_index_wraps.cu", WRAPS),
    ("named/proved_matrix_consumer.cu", MATRIX),
    ("named/proved_scoped_arrival_counts.ll", SCOPED),
    ("named/proved_scoped_bytes.ll", SCOPED),
    ("named/proved_scoped_parity.ll", SCOPED),
];
