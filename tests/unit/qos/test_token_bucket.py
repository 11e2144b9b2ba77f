"""The bucket that limits how long a container may stay above its limit."""

from koordlet.qos.cpu_burst import TokenBucket


def test_parts_of_seconds_add_up():
    bucket = TokenBucket(capacity=1000, tokens=0, period_s=10, updated_s=0.0)
    for step in range(1, 11):
        bucket = bucket.after(50, step * 0.9)
    assert bucket.tokens == 9 * 50


def test_tokens_stay_between_minus_and_plus_capacity():
    bucket = TokenBucket(capacity=100, tokens=0, period_s=10, updated_s=0.0)
    assert bucket.after(0, 50).tokens == 100
    assert bucket.after(300, 50).tokens == -100


def test_between_saving_and_spending_nothing_changes():
    assert TokenBucket(100, 7, 10, 0.0).after(80, 30).tokens == 7


def test_a_bucket_nobody_asks_for_two_periods_is_idle():
    bucket = TokenBucket(100, 7, 10, 0.0)
    assert not bucket.idle(20.0)
    assert bucket.idle(20.5)
