"""Statistics: arrays in, small results out. Pure (no I/O, no clock, no global randomness), usable alone.

Every random function takes a seed and gives the same numbers again. Degenerate input gives NaN and a reason, never an
invented number. scipy is loaded only inside the functions that need it, so that a run never loads it.
"""
