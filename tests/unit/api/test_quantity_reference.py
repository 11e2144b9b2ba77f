"""Quantities against the answers of apimachinery's own package: a committed table, and random questions where Go is."""

import hashlib
import json
import os
import random
import shutil
import struct
import subprocess
from pathlib import Path

import pytest

from koord.api.errors import QuantityError
from koord.api.quantity import Quantity

PROGRAM = Path("tests/e2e/quantity")
TABLE = Path("tests/unit/api/quantity_cases.jsonl")
CASES = [json.loads(line) for line in TABLE.read_text().splitlines()]
RANDOM_QUESTIONS = 100_000

GIGA, NANO = 9, -9


@pytest.mark.parametrize(("question", "expected"), CASES, ids=[" ".join(question) for question, _ in CASES])
def test_a_quantity_gives_the_answer_of_apimachinery(question, expected):
    assert answer(question) == expected


def test_the_table_has_at_least_a_hundred_cases_of_all_operations():
    assert len(CASES) >= 100
    assert {question[0] for question, _ in CASES} == {"parse", "neg", "add", "sub", "cmp", "mul", "round"}


def test_the_table_is_what_apimachinery_answers_now(reference):
    assert reference([question for question, _ in CASES]) == [expected for _, expected in CASES]


def test_random_texts_and_operations_give_the_answers_of_apimachinery(reference):
    seed = int(os.environ.get("KOORD_SEED", "0")) or random.SystemRandom().randrange(2**32)
    questions = list(random_questions(random.Random(seed), RANDOM_QUESTIONS))
    wrong = [
        (question, answer(question), expected)
        for question, expected in zip(questions, reference(questions), strict=True)
        if answer(question) != expected
    ]
    assert not wrong, f"seed {seed}: {len(wrong)} wrong, first {wrong[:3]}"


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """A function from questions to the answers of the Go program."""
    if shutil.which("go") is None:
        pytest.skip("Go is not on PATH: no answers from apimachinery")
    sources = b"".join((PROGRAM / name).read_bytes() for name in ("go.mod", "go.sum", "main.go"))
    cache = Path(os.environ.get("KOORD_CACHE") or tmp_path_factory.mktemp("cache"))
    binary = cache / "quantity" / hashlib.sha256(sources).hexdigest()[:16]
    if not binary.exists():
        built = subprocess.run(
            ["go", "build", "-o", binary, "."], cwd=PROGRAM, capture_output=True, text=True, check=False
        )
        if built.returncode != 0:
            pytest.skip(f"apimachinery cannot be built here: {built.stderr.strip()}")

    def ask(questions):
        lines = "\n".join(json.dumps(question) for question in questions)
        output = subprocess.run([binary], input=lines, capture_output=True, text=True, check=True).stdout
        return [json.loads(line) for line in output.splitlines()]

    return ask


def answer(question):
    """Our answer in the form of the Go program's."""
    operation, text, *rest = question
    try:
        left = Quantity.parse(text)
        right = Quantity.parse(rest[0]) if operation in ("add", "sub", "cmp") else None
    except QuantityError:
        return EMPTY | {"error": True}
    match operation:
        case "parse":
            return describe(left)
        case "neg":
            return describe(-left)
        case "add":
            return describe(left + right)
        case "sub":
            return describe(left - right)
        case "cmp":
            return EMPTY | {"sign": left.compare(right)}
        case "mul":
            return describe(left * int(rest[0]))
        case "round":
            rounded, exact = left.round_up(int(rest[0]))
            return describe(rounded) | {"exact": exact}


EMPTY = {"text": "", "format": "", "value": 0, "milli": 0, "nano": 0, "giga": 0, "int64": None, "float": "", "sign": 0}


def describe(quantity):
    return {
        "text": str(quantity),
        "format": quantity.format.value,
        "value": quantity.value(),
        "milli": quantity.milli_value(),
        "nano": quantity.scaled_value(NANO),
        "giga": quantity.scaled_value(GIGA),
        "int64": quantity.as_int64(),
        "float": struct.pack(">d", quantity.as_float()).hex(),
        "sign": quantity.sign,
    }


SUFFIXES = ["", *"numkMGTPE", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "e", "E", "K", "i", "ki", "mi", "B"]


def random_questions(source, count):
    for _ in range(count):
        text = random_text(source)
        match source.randrange(10):
            case 0 | 1 | 2 | 3:
                yield ["parse", text]
            case 4:
                yield ["neg", text]
            case 5:
                yield ["add", text, random_text(source)]
            case 6:
                yield ["sub", text, random_text(source)]
            case 7:
                yield ["cmp", text, source.choice([random_text(source), text])]
            case 8:
                yield ["mul", text, str(source.choice([0, 1, -1, 2, 7, 1000, 2**31, 2**63 - 1, -(2**63)]))]
            case 9:
                yield ["round", text, str(source.choice([-9, -6, -3, -1, 0, 1, 3, 6, 9, 18]))]


def random_text(source):
    if source.random() < 0.03:
        return "".join(source.choices("0123456789.+-eEinumkKMGTP é ", k=source.randrange(8)))
    sign = source.choice(["", "", "", "-", "+"])
    whole = random_digits(source)
    fraction = source.choice(["", "", ".", "." + random_digits(source)])
    suffix = source.choice(SUFFIXES)
    if suffix in ("e", "E"):
        suffix += source.choice(["", "-", "+"]) + str(source.choice([0, 1, 2, 3, 6, 9, 18, 19, 40, 300, 330]))
    return sign + whole + fraction + suffix


def random_digits(source):
    length = source.choice([0, 1, 1, 2, 3, 4, 8, 16, 17, 18, 19, 20, 30])
    if source.random() < 0.3:
        return str(source.choice([2**63 - 1, 2**63, 2**53, 1024, 1023, 1000, 10**18, 512, 100, 0]))
    return "".join(source.choices("0001234567899", k=length))
