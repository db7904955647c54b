"""Time that counts towards limits."""

from __future__ import annotations

from aries_body.process.clock import AwakeClock, time_asleep


class _Machine:
    """Its time and its sleep."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.asleep = 5.0

    def clock(self) -> AwakeClock:
        return AwakeClock(lambda: self.now, lambda: self.asleep)


def test_time_between_ticks_counts() -> None:
    machine = _Machine()
    clock = machine.clock()
    for _ in range(10):
        machine.now += 0.25
        clock.tick()
    assert clock.seconds == 2.5 and clock.halted == 0


def test_a_sleep_that_the_monotonic_clock_does_not_see_is_no_time() -> None:
    machine = _Machine()
    clock = machine.clock()
    machine.asleep += 3600
    machine.now += 0.25
    clock.tick()
    assert clock.seconds == 0.25 and clock.halted == 3600


def test_a_sleep_that_the_monotonic_clock_counts_is_hardly_any_time() -> None:
    machine = _Machine()
    clock = machine.clock()
    machine.now += 7200
    clock.tick()
    assert clock.seconds <= 2 and clock.halted >= 7198


def test_a_clock_that_is_set_back_counts_nothing() -> None:
    machine = _Machine()
    clock = machine.clock()
    machine.now -= 50
    machine.asleep -= 50
    clock.tick()
    assert clock.seconds == 0 and clock.halted == 0


def test_this_machine_tells_how_long_it_slept() -> None:
    assert time_asleep() >= 0
