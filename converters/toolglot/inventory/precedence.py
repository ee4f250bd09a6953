"""Which description of a program counts where there are several: the one of the lowest rank.

First what a person put in the place of the program's own, then what the program answered to us. Then come the places
where descriptions lie, one after the other, and in each what its registry names, caches, shims by hash, shims by name.
"""

OVERRIDE_BY_HASH, OVERRIDE, ANSWER, PARTIAL_ANSWER, FIRST_PLACE = range(5)
NAMED, CACHED, SHIM_BY_HASH, SHIM, NEXT_PLACE = range(5)
