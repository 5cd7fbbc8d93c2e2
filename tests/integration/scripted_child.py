"""A measuring child that speaks the protocol and measures nothing: each stage's name is its fate.

Size `n` is how many milliseconds a cell takes. Run by the worker in place of `app.measure`.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime

from pydantic import TypeAdapter

from app.domain.child_messages import (
    CeilingMeasured,
    CellEnded,
    CellStarted,
    ChildMessage,
    Done,
    Fatal,
    LogLine,
    Measured,
    Plan,
    Probed,
    RoundDone,
    SourceUsed,
)
from app.domain.device import DeviceState
from app.domain.measurement import CellKey, CellOutcome, Samples
from app.domain.vocabulary import BackendName, CacheState, CellStatus
from tests.examples import DEVICE, ENVIRONMENT, SOURCE, SOURCE_SHA256, ceiling, measurement

MESSAGES: TypeAdapter[ChildMessage] = TypeAdapter(ChildMessage)


def say(message: ChildMessage) -> None:
    sys.stdout.write(MESSAGES.dump_json(message).decode() + "\n")
    sys.stdout.flush()


def main() -> int:
    plan = TypeAdapter(Plan).validate_json(sys.stdin.buffer.read())
    if plan.backend is BackendName.CUDA:
        say(Fatal("device_unavailable", "No GPU is visible. Check the driver with nvidia-smi."))
        return 3
    say(Probed(replace(DEVICE, uuid=os.environ["TEST_DEVICE"], backend=plan.backend), ENVIRONMENT))
    if plan.measure_ceilings and not plan.probe_only:
        say(CeilingMeasured(ceiling()))
    for key in plan.cells:
        say(CellStarted(key, "compiling"))
        FATES.get(key.stage, good)(key, plan)
    say(Done())
    return 0


def good(key: CellKey, plan: Plan) -> None:
    prior = sum(len(s.durations_s) for s in plan.prior_samples if s.key == key)
    say(LogLine(f"child {os.getpid()} measures {key.stage} after {prior} samples"))
    say(SourceUsed(SOURCE_SHA256, SOURCE))
    sample_rounds(key)
    for cache in CacheState:
        found = replace(measurement(cache=cache), key=key)
        say(Measured(found, Samples(key, cache, found.regime, (0.1, 0.2))))
    say(CellEnded(CellOutcome(key, CellStatus.MEASURED)))


def sample_rounds(key: CellKey) -> None:
    say(CellStarted(key, "sampling"))
    regime = measurement(cache=CacheState.COLD).regime
    for number in range(1, 6):
        time.sleep(key.size["n"] / 5000)
        new = Samples(key, CacheState.COLD, regime, (0.1,))
        state = DeviceState(datetime.now(UTC), foreign_processes=("python (4711)",))
        say(RoundDone(number, (new,), (0.1,), (None,), (number,), state))


def crashes(key: CellKey, plan: Plan) -> None:
    sample_rounds(key)
    os.kill(os.getpid(), signal.SIGSEGV)


def is_killed(key: CellKey, plan: Plan) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def hangs(key: CellKey, plan: Plan) -> None:
    time.sleep(600)


def exhausts_memory(key: CellKey, plan: Plan) -> None:
    raise MemoryError


def faults_on_the_device(key: CellKey, plan: Plan) -> None:
    sys.stderr.write("CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered\n")
    sys.exit(1)


def does_not_compile(key: CellKey, plan: Plan) -> None:
    say(CellEnded(CellOutcome(key, CellStatus.FAILED, "does not compile: line 3: expected ;")))


def wrong(key: CellKey, plan: Plan) -> None:
    say(CellEnded(CellOutcome(key, CellStatus.WRONG_RESULT, "largest relative error 0.5")))


FATES = {
    "crashes": crashes,
    "hangs": hangs,
    "exhausts_memory": exhausts_memory,
    "raises": faults_on_the_device,
    "unwritten": is_killed,
    "does_not_compile": does_not_compile,
    "wrong": wrong,
}

if __name__ == "__main__":
    sys.exit(main())
