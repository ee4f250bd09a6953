"""Laws 3 and 4 by a judge that shares no code with the product; `make laws N=2000` runs many more documents."""

from __future__ import annotations

import pytest

import judged_laws


@pytest.mark.parametrize("seed", range(4))
def test_laws_3_and_4_by_an_independent_judge(seed: int) -> None:
    tally = judged_laws.block(-1 - seed)
    assert tally.counts["chains"] == judged_laws.BLOCK
    assert [(broken.group, broken.chain, broken.document.content.decode()) for broken in tally.broken] == []
    assert not [code for code in tally.refused if code.startswith("valid ")]
