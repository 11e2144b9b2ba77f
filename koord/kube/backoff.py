"""How long to wait before the next try."""

import random
from collections.abc import Callable


class Backoff:
    """Delays that double from `first_s` up to `most_s`, each lengthened at random by up to `jitter` of itself.

    The defaults are those of client-go's reflector, so that a thousand agents do not come back at the same moment.
    """

    def __init__(
        self,
        first_s: float = 0.8,
        most_s: float = 30.0,
        jitter: float = 1.0,
        rand: Callable[[], float] = random.random,
    ) -> None:
        self._first_s = first_s
        self._most_s = most_s
        self._jitter = jitter
        self._rand = rand
        self._failures = 0

    def next(self) -> float:
        """Seconds to wait after one more failure."""
        delay = min(self._first_s * 2.0 ** min(self._failures, 60), self._most_s)
        self._failures += 1
        return delay * (1.0 + self._jitter * self._rand())

    def reset(self) -> None:
        """Forget the failures: something worked."""
        self._failures = 0
