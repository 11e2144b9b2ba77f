//! How much of a node's free GPU capacity a kind of pod could use.

use super::request::GpuRequest;

/// What is left on a node: milli-cores, bytes, thousandths of each GPU.
#[derive(Clone, Debug, PartialEq)]
pub struct Left<'a> {
    pub cpu: i64,
    pub memory: i64,
    pub gpus: &'a [i64],
}

/// A kind of pod.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kind {
    pub cpu: i64,
    pub memory: i64,
    pub gpu: GpuRequest,
}

/// Thousandths of GPUs that pods of this kind alone could take, whatever cpu and memory allow counted in fractions of pods:
/// an amount that shrinks smoothly as the node's other resources run out. 0 when not even one fits.
pub fn usable(kind: &Kind, left: &Left) -> f64 {
    usable_of(kind, left, kind.gpu.times(left.gpus))
}

/// The same when the GPUs are known to serve the kind's request so many times.
fn usable_of(kind: &Kind, left: &Left, times: i64) -> f64 {
    let mut pods = times as f64;
    for (free, each) in [(left.cpu, kind.cpu), (left.memory, kind.memory)] {
        if each > 0 {
            pods = pods.min(free as f64 / each as f64);
        }
    }
    if pods < 1.0 {
        0.0
    } else {
        pods * kind.gpu.total() as f64
    }
}

/// The sum of what is usable for each kind, times the kind's worth. Kinds with the same GPU request stand side by side,
/// so that the GPUs are looked at once for all of them.
pub fn worth_of(kinds: &[(Kind, f64)], left: &Left) -> f64 {
    let alike = kinds.chunk_by(|(a, _), (b, _)| a.gpu == b.gpu);
    let worths = alike.map(|alike| {
        let times = alike
            .first()
            .map_or(0, |(kind, _)| kind.gpu.times(left.gpus));
        if times == 0 {
            return 0.0;
        }
        alike
            .iter()
            .map(|(kind, worth)| worth * usable_of(kind, left, times))
            .sum()
    });
    worths.sum()
}

/// Thousandths of the node's free GPUs that a pod of this kind cannot use: all of them when it does not fit at all.
/// The measure of "Beware of Fragmentation" (USENIX ATC 2023), which leaves memory out.
pub fn fragment(kind: &Kind, left: &Left, total: i64) -> i64 {
    if kind.gpu.is_none() || left.cpu < kind.cpu || !kind.gpu.fits(left.gpus) {
        return total;
    }
    left.gpus
        .iter()
        .filter(|free| **free < kind.gpu.milli)
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(cpu: i64, count: i64, milli: i64) -> Kind {
        Kind {
            cpu,
            memory: 0,
            gpu: GpuRequest { count, milli },
        }
    }

    #[test]
    fn capacity_is_bound_by_the_scarcest_resource() {
        let left = Left {
            cpu: 6000,
            memory: 0,
            gpus: &[1000, 500, 1000, 200],
        };
        assert_eq!(usable(&kind(1000, 1, 1000), &left), 2000.0);
        assert_eq!(usable(&kind(4000, 1, 1000), &left), 1500.0);
        assert_eq!(usable(&kind(8000, 1, 1000), &left), 0.0);
        assert_eq!(usable(&kind(1000, 1, 500), &left), 2500.0);
        assert_eq!(usable(&kind(1000, 4, 1000), &left), 0.0);
    }

    #[test]
    fn worth_adds_up_over_kinds() {
        let left = Left {
            cpu: 6000,
            memory: 0,
            gpus: &[1000, 500, 1000, 200],
        };
        let kinds = [
            (kind(4000, 1, 500), 1.0),
            (kind(1000, 1, 1000), 2.0),
            (kind(4000, 1, 1000), 4.0),
            (kind(1000, 4, 1000), 8.0),
        ];
        assert_eq!(worth_of(&kinds, &left), 750.0 + 4000.0 + 6000.0);
    }

    #[test]
    fn fragments_are_what_a_pod_cannot_use() {
        let left = Left {
            cpu: 6000,
            memory: 0,
            gpus: &[1000, 500, 1000, 200],
        };
        assert_eq!(fragment(&kind(1000, 1, 1000), &left, 2700), 700);
        assert_eq!(fragment(&kind(1000, 1, 300), &left, 2700), 200);
        assert_eq!(fragment(&kind(9000, 1, 300), &left, 2700), 2700);
        assert_eq!(fragment(&kind(0, 0, 0), &left, 2700), 2700);
    }
}
