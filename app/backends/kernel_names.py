"""Names of the kernels that a library queues: it is captured into a graph that is never run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from app.domain.errors import StageFailure

LONGEST_NAME = 120
_NON_BLOCKING = 1


def kernel_names(queue: Callable[[int], None]) -> tuple[str, ...]:
    """Names in the order of the graph's nodes, cut to 120 characters; empty where they cannot be had.

    queue(stream) queues the call on the stream of that address. It was run before, so that nothing is loaded
    while the capture lasts. A name is a courtesy: no failure here costs the measurement.
    """
    try:
        from cuda.bindings import driver

        stream = _value(driver.cuStreamCreate(_NON_BLOCKING))
        try:
            return tuple(_captured(driver, stream, queue))
        finally:
            driver.cuStreamDestroy(stream)
    except (ImportError, RuntimeError, StageFailure, ValueError, TypeError, AttributeError):
        return ()


def _captured(driver: Any, stream: Any, queue: Callable[[int], None]) -> Iterator[str]:  # noqa: ANN401
    mode = driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED
    _values(driver.cuStreamBeginCapture(stream, mode))
    try:
        queue(int(stream))
    finally:
        ended = driver.cuStreamEndCapture(stream)
    graph = _value(ended)
    try:
        _, count = _values(driver.cuGraphGetNodes(graph))
        nodes, _ = _values(driver.cuGraphGetNodes(graph, count))
        for node in nodes:
            if _value(driver.cuGraphNodeGetType(node)) == driver.CUgraphNodeType.CU_GRAPH_NODE_TYPE_KERNEL:
                yield _name(driver, _value(driver.cuGraphKernelNodeGetParams(node)))
    finally:
        driver.cuGraphDestroy(graph)


def _name(driver: Any, node: Any) -> str:  # noqa: ANN401
    """A kernel of a library has no function of a context, only the kernel itself."""
    asked = driver.cuFuncGetName(node.func) if int(node.func) else driver.cuKernelGetName(node.kern)
    name: str = _value(asked).decode(errors="replace")
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def _value(answer: tuple[Any, ...]) -> Any:  # noqa: ANN401
    (value,) = _values(answer)
    return value


def _values(answer: tuple[Any, ...]) -> tuple[Any, ...]:
    status, *values = answer
    if int(status) != 0:
        raise RuntimeError(f"the driver answered {status}")
    return tuple(values)
