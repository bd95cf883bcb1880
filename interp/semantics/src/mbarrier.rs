//! Barrier objects: phases of arrivals and of bytes that copies bring (PTX ISA, section 9.7.13.15).
//!
//! **What.** [`Phases`] are the counts of one object: what a phase expects, what the phase in
//! progress lacks, and the bytes it waits for.
//!
//! **Sound because** a phase ends with the last arrival and the last byte, and the next one starts
//! with the count that dropping out has left: an arrival that drops out is still one of the phase
//! in progress, so a phase in which the last thread drops out ends, and no other begins to count.
//!
//! **Does not**: know who arrives, waits or copies, or what a phase publishes.

/// Bytes of a barrier object (PTX ISA, section 9.7.13.15.1).
pub const BARRIER_OBJECT_BYTES: u64 = 8;

/// Which phase a test or a wait names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Target {
    /// The phase of this parity that was in progress last, or is.
    Parity(bool),
    /// The phase of this number, as its token says.
    Phase(u32),
}

/// The counts of a barrier object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Phases {
    /// Arrivals that the phases to come expect.
    pub per_phase: u32,
    /// Arrivals that the phase in progress expects: who drops out in it lowers the next ones only.
    pub needs: u32,
    /// Arrivals that it lacks.
    pub lacking: u32,
    /// Bytes that it waits for. Below zero if copies ended before they were announced.
    pub bytes: i64,
    /// The phase in progress, from zero.
    pub phase: u32,
}

/// An arrival brought more than the phase lacked, which is not defined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Excess {
    /// What was lacking.
    pub lacking: u32,
}

impl Phases {
    /// `mbarrier.init`.
    pub fn init(count: u32) -> Phases {
        Phases { per_phase: count, needs: count, lacking: count, bytes: 0, phase: 0 }
    }

    /// Nothing has happened in the phase in progress.
    pub fn is_untouched(&self) -> bool {
        self.lacking == self.needs && self.bytes == 0
    }

    /// This many arrivals. More than are lacking count as those.
    pub fn arrive(&mut self, count: u32) -> Result<(), Excess> {
        let lacking = self.lacking;
        self.lacking = lacking.saturating_sub(count);
        if count > lacking { Err(Excess { lacking }) } else { Ok(()) }
    }

    /// Later phases expect this many fewer (`mbarrier.arrive_drop`, on top of the arrival).
    pub fn drop_out(&mut self, count: u32) {
        self.per_phase = self.per_phase.saturating_sub(count);
    }

    /// The phase waits for more bytes.
    pub fn expect(&mut self, bytes: u32) {
        self.bytes += i64::from(bytes);
    }

    /// Bytes have come.
    pub fn complete(&mut self, bytes: u32) {
        self.bytes -= i64::from(bytes);
    }

    /// Ends the phase in progress if it has all that it waits for. Whether it did.
    pub fn advance(&mut self) -> bool {
        let is_over = self.lacking == 0 && self.bytes == 0 && self.needs > 0;
        if is_over {
            self.phase += 1;
            (self.needs, self.lacking) = (self.per_phase, self.per_phase);
        }
        is_over
    }

    /// Whether the phase that is named is over, and then the one after it. A parity names the phase
    /// in progress or the one before (PTX ISA, 9.7.13.15.16).
    pub fn passes(&self, target: Target) -> Option<u32> {
        match target {
            Target::Parity(parity) => ((self.phase & 1 == 1) != parity).then_some(self.phase),
            Target::Phase(phase) => (self.phase > phase).then_some(phase + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_ends_with_the_last_arrival_and_the_last_byte() {
        let mut object = Phases::init(2);
        object.expect(64);
        assert_eq!((object.arrive(2), object.advance()), (Ok(()), false));
        assert_eq!(object.passes(Target::Parity(false)), None);
        object.complete(64);
        assert!(object.advance() && !object.advance());
        assert_eq!(object.passes(Target::Parity(false)), Some(1));
        assert_eq!(
            [object.passes(Target::Phase(0)), object.passes(Target::Phase(1))],
            [Some(1), None]
        );
    }

    #[test]
    fn the_phase_in_which_the_last_thread_drops_out_ends() {
        let mut object = Phases::init(1);
        object.drop_out(1);
        assert_eq!(object.arrive(1), Ok(()));
        assert!(object.advance());
        assert_eq!((object.phase, object.needs), (1, 0));
        // Nobody is expected any more, so no further phase ends by itself.
        assert!(!object.advance());
    }

    #[test]
    fn arrivals_beyond_what_is_lacking_are_told() {
        let mut object = Phases::init(1);
        assert_eq!(object.arrive(2), Err(Excess { lacking: 1 }));
        assert_eq!(object.lacking, 0);
    }
}
