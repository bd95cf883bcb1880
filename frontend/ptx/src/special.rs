//! Special registers (PTX ISA, section 10).
//!
//! Registers with a number in their name (`%envreg5`) have it as a field.

/// One of three directions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Axis {
    /// The fastest.
    X,
    /// The middle one.
    Y,
    /// The slowest.
    Z,
}

macro_rules! specials {
    (axes { $($(#[$axis_doc:meta])* $axis:ident = $axis_name:literal,)* }
     plain { $($(#[$doc:meta])* $variant:ident = $name:literal,)* }
     numbered { $($(#[$numbered_doc:meta])* $numbered:ident = $prefix:literal below $count:literal,)* }) => {
        /// A special register.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Special {
            $($(#[$axis_doc])* $axis(Axis),)*
            $($(#[$doc])* $variant,)*
            $($(#[$numbered_doc])* $numbered(u8),)*
        }

        impl Special {
            /// The register of this name, with its `%`.
            pub(crate) fn parse(name: &str) -> Option<Special> {
                match name {
                    $($name => return Some(Special::$variant),)*
                    _ => {}
                }
                $(if let Some(number) = name.strip_prefix($prefix) {
                    let is_plain = number == "0" || !number.starts_with(['0', '+']);
                    let number = number.parse().ok().filter(|it| is_plain && *it < $count)?;
                    return Some(Special::$numbered(number));
                })*
                let (base, axis) = name.rsplit_once('.')?;
                let axis = match axis {
                    "x" => Axis::X,
                    "y" => Axis::Y,
                    "z" => Axis::Z,
                    _ => return None,
                };
                match base {
                    $($axis_name => Some(Special::$axis(axis)),)*
                    _ => None,
                }
            }
        }
    };
}

specials! {
    axes {
        /// The thread in its block.
        Tid = "%tid",
        /// Threads of a block.
        Ntid = "%ntid",
        /// The block in its grid.
        Ctaid = "%ctaid",
        /// Blocks of the grid.
        Nctaid = "%nctaid",
        /// The cluster in its grid.
        Clusterid = "%clusterid",
        /// Clusters of the grid.
        Nclusterid = "%nclusterid",
        /// The block in its cluster.
        ClusterCtaid = "%cluster_ctaid",
        /// Blocks of a cluster.
        ClusterNctaid = "%cluster_nctaid",
    }
    plain {
        /// The lane in its warp.
        LaneId = "%laneid",
        /// The warp in its block; may change while the thread runs.
        WarpId = "%warpid",
        /// Warp slots of the multiprocessor.
        NwarpId = "%nwarpid",
        /// The multiprocessor; may change while the thread runs.
        SmId = "%smid",
        /// Multiprocessors, gaps counted.
        NsmId = "%nsmid",
        /// The launch.
        GridId = "%gridid",
        /// The block's rank in its cluster.
        ClusterCtarank = "%cluster_ctarank",
        /// Blocks of a cluster, in all.
        ClusterNctarank = "%cluster_nctarank",
        /// Whether the launch names a cluster.
        IsExplicitCluster = "%is_explicit_cluster",
        /// The lane's own bit.
        LanemaskEq = "%lanemask_eq",
        /// Bits up to the lane's own.
        LanemaskLe = "%lanemask_le",
        /// Bits below the lane's own.
        LanemaskLt = "%lanemask_lt",
        /// Bits from the lane's own.
        LanemaskGe = "%lanemask_ge",
        /// Bits above the lane's own.
        LanemaskGt = "%lanemask_gt",
        /// Cycles, low half.
        Clock = "%clock",
        /// Cycles, high half.
        ClockHi = "%clock_hi",
        /// Cycles.
        Clock64 = "%clock64",
        /// Nanoseconds.
        GlobalTimer = "%globaltimer",
        /// Nanoseconds, low half.
        GlobalTimerLo = "%globaltimer_lo",
        /// Nanoseconds, high half.
        GlobalTimerHi = "%globaltimer_hi",
        /// Bytes of shared memory, static and dynamic.
        TotalSmemSize = "%total_smem_size",
        /// Bytes of shared memory, the system's part counted.
        AggrSmemSize = "%aggr_smem_size",
        /// Bytes of dynamic shared memory.
        DynamicSmemSize = "%dynamic_smem_size",
        /// The graph the launch belongs to.
        CurrentGraphExec = "%current_graph_exec",
        /// The warp's lanes: 32.
        WarpSize = "WARP_SZ",
        /// Where the system's part of shared memory starts.
        ReservedSmemBegin = "%reserved_smem_offset_begin",
        /// Where it ends.
        ReservedSmemEnd = "%reserved_smem_offset_end",
        /// Its bytes.
        ReservedSmemCap = "%reserved_smem_offset_cap",
    }
    numbered {
        /// An entry of it: offset in shared memory.
        ReservedSmem = "%reserved_smem_offset_" below 2,
        /// A word that the driver sets before the launch.
        EnvReg = "%envreg" below 32,
        /// A counter of events.
        Pm = "%pm" below 8,
    }
}
