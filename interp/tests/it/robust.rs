//! Any kernel the verifier accepts runs or says why not, and does the same each time.

use std::ops::ControlFlow;

use heddle_interp::{
    AccessEvent, BarrierEvent, Both, ConflictFinder, Contents, Divergence, Launch, Moment, Pair,
    Rest, Session, Stop, Visitor,
};

#[path = "../../../ir/tests/common/mod.rs"]
mod random;

/// All that is told, as text.
#[derive(Default)]
struct Diary(Vec<String>);

impl Visitor for Diary {
    fn access(&mut self, at: &Moment<'_>, event: &AccessEvent<'_>) -> ControlFlow<()> {
        let values: Vec<_> = (0..event.threads.len()).map(|index| event.written(index)).collect();
        self.0.push(format!("{} {:?} {:?} {values:?}", at.op, at.iterations, event.threads));
        ControlFlow::Continue(())
    }

    fn barrier(&mut self, at: &Moment<'_>, event: &BarrierEvent<'_>) -> ControlFlow<()> {
        self.0.push(format!("{} {event:?}", at.op));
        ControlFlow::Continue(())
    }

    fn divergence(&mut self, divergence: &Divergence) -> ControlFlow<()> {
        self.0.push(format!("{divergence:?}"));
        ControlFlow::Continue(())
    }
}

fn told(kernel: &heddle_ir::Kernel, launch: &Launch) -> (Vec<String>, Vec<Result<(), Stop>>) {
    let finder = ConflictFinder::new(kernel, launch, Pair::default(), usize::MAX);
    let mut watch = Both(Diary::default(), finder);
    let mut session = Session::new(kernel, launch).unwrap();
    let mut budget = 30_000;
    let ends = [[0, 0, 0], [1, 0, 0]]
        .map(|block| session.run_block(block, &mut watch, &mut budget).map(|_| ()));
    watch.0.0.push(format!("{:?}", watch.1.conflicts()));
    (watch.0.0, ends.to_vec())
}

#[test]
fn random_kernels_run_or_stop_with_a_reason() {
    let (mut finished, mut stopped, mut events) = (0, 0, 0);
    for seed in 0..200u64 {
        let kernel = random::random_kernel(seed);
        let mut launch = Launch::new(&kernel, [2, 1, 1], [8, 5, 1]);
        launch.args = vec![Some(5), (seed % 3 > 0).then_some(1 << 40)];
        launch.dynamic_shared = Some(64);
        // All memory known, or none of it.
        if seed % 2 == 0 {
            let known = Contents {
                bytes: Default::default(),
                rest: Rest::Function(std::sync::Arc::new(|at| Some(at as u8))),
            };
            launch.buffers = kernel.objects.keys().map(|object| (object, known.clone())).collect();
            launch.bases = kernel.objects.keys().map(|object| (object, 4096)).collect();
        }
        let (first, ends) = told(&kernel, &launch);
        assert_eq!((&first, &ends), (&told(&kernel, &launch).0, &told(&kernel, &launch).1));
        for end in ends {
            match end {
                Ok(()) => finished += 1,
                Err(stop) => {
                    stopped += 1;
                    assert!(!stop.describe(&kernel).is_empty());
                }
            }
        }
        events += first.len();
    }
    assert!(finished > 10 && stopped > 20 && events > 300, "{finished} {stopped} {events}");
}
