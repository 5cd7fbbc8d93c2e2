"""Reading disassembled kernels, and the model of the register banks over them."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.analysis.sass import parse
from app.analysis.sass_score import score
from app.backends import nvrtc
from app.backends.disassemble import disassembled, with_inner_loop
from app.domain.errors import UnavailableError
from app.domain.vocabulary import BackendName
from app.kernels import registry

# A loop of two levels as nvdisasm 13 prints it; the inner one skips a rare path.
LISTING = """
//--------------------- .text.other              --------------------------
.text.other:
        /*0000*/                   EXIT ;
//--------------------- .text.tile               --------------------------
.text.tile:
        /*0000*/                   LDC R1, c[0x0][0x28] ;
.L_x_1:
        /*0010*/                   LDS R9, [R20] ;
.L_x_0:
        /*0020*/                   LDS.128 R4, [R20+0x40] ;
        /*0030*/                   FFMA R10, R8.reuse, R4, R11 ;
        /*0040*/                   FFMA R13, R8, R5, R13 ;
        /*0050*/               @P0 BRA `(.L_x_2) ;
        /*0060*/                   STL [R1], R10 ;
        /*0070*/                   STL [R1+0x4], R11 ;
.L_x_2:
        /*0080*/                   FFMA R12, R8.reuse, R6.reuse, R12 ;
        /*0090*/                   FFMA R15, -R8, R6, R15 ;
        /*00a0*/              @!P1 BRA `(.L_x_0) ;
        /*00b0*/               @P2 BRA `(.L_x_1) ;
        /*00c0*/                   EXIT ;
.L_x_3:
        /*00d0*/                   BRA `(.L_x_3);
"""


def test_the_busiest_loop_is_the_inner_one_without_its_rare_path() -> None:
    loop = parse(LISTING, "tile").busiest_loop
    assert [i.opcode for i in loop] == ["LDS.128", "FFMA", "FFMA", "BRA", "FFMA", "FFMA", "BRA"]
    assert loop[0].address == 0x20
    assert loop[1].target == 10
    assert [(o.register, o.is_kept) for o in loop[1].sources] == [(8, True), (4, False), (11, False)]
    assert [o.register for o in loop[5].sources] == [8, 6, 15]


def test_conflicts_moved_sums_and_kept_operands_are_counted() -> None:
    found = score(parse(LISTING, "tile"))
    assert found is not None
    assert found.is_loop
    assert found.mix == (("FFMA", 4), ("BRA", 2), ("LDS", 1))
    # Two reads of a bank may wait; the third multiply-add asks the even bank for R8, R6 and R12: a cycle. For
    # the fourth R8 and R6 are kept, and only R15 is read.
    assert found.conflict_cycles == 1
    assert found.renamed == 1
    assert found.kept_operands == 2
    assert found.local_instructions == 2
    assert found.multiply_add_fraction == pytest.approx(4 / 7)
    assert found.issue_fraction == pytest.approx(4 / 8)


def test_a_kernel_without_a_loop_is_described_whole_and_an_unknown_one_not_at_all() -> None:
    whole = score(parse(LISTING, "other"))
    assert whole is not None
    assert not whole.is_loop
    assert whole.instructions == 1
    assert whole.issue_fraction == 0
    assert score(parse(LISTING, "nothing")) is None


def loop_of(*multiply_adds: str) -> str:
    lines = [
        f"        /*{16 * n:04x}*/                   FFMA {text} ;" for n, text in enumerate(multiply_adds)
    ]
    return "\n".join([".text.k:", ".L_x_0:", *lines, "        /*ffff*/                   BRA `(.L_x_0) ;"])


@pytest.mark.parametrize(
    ("target", "lost"), [("R8", 2), ("R12", 1)], ids=["written, so read again", "kept beside the pipe"]
)
def test_a_written_register_is_no_longer_kept(target: str, lost: int) -> None:
    """Five or four reads of the even bank in the three cycles of a pass."""
    found = score(parse(loop_of(f"{target}, R8.reuse, R4, R7", "R10, R8, R6, R4"), "k"))
    assert found is not None
    assert found.conflict_cycles == lost


def test_an_order_that_stays_in_a_bank_costs_cycles_and_one_that_alternates_does_not() -> None:
    even, odd = "R8.reuse, R4, R6", "R8.reuse, R5, R7"
    alternating = score(parse(loop_of(*(f"R2{n}, {o}" for n, o in enumerate((even, odd) * 4))), "k"))
    staying = score(parse(loop_of(*(f"R2{n}, {o}" for n, o in enumerate((*(even,) * 4, *(odd,) * 4)))), "k"))
    assert alternating is not None
    assert staying is not None
    assert alternating.conflict_cycles == 0
    assert staying.conflict_cycles > 0


@pytest.mark.parametrize(("name", "most"), [("register_banks", 32), ("hopper_streamk", 32)])
def test_pinned_sums_stay_where_they_are(name: str, most: int) -> None:
    """What these rungs are about: without `hold` the compiler moves half of the 512 sums."""
    stage = registry.stage("matmul", BackendName.CUDA, name)
    cubin, report = nvrtc.compile_cubin(stage.source.read_text(encoding="utf-8"), stage.entry, "sm_90a")
    loop = with_inner_loop(report, cubin, stage.entry).loop
    assert loop is not None
    assert loop.multiply_adds == 512
    assert loop.renamed <= 32
    assert loop.conflict_cycles <= most
    assert loop.local_instructions == 0


def test_a_cubin_that_cannot_be_read_leaves_the_report_as_it_was() -> None:
    with pytest.raises(UnavailableError, match="update it"):
        disassembled(b"no machine code")
    source = 'extern "C" __global__ void k(float* x) { x[0] = 1; }'
    _, report = nvrtc.compile_cubin(source, "k", "sm_90a")
    assert with_inner_loop(report, b"no machine code", "k") == report


def test_without_the_disassembler_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.backends.disassemble.disassembler", lambda: None)
    with pytest.raises(UnavailableError, match=r"\[sass\]"):
        disassembled(Path(__file__).read_bytes())
