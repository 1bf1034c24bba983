"""What must be fast: play out, count, sample hidden hands, solve. Needs numpy; numba makes it quick."""


class NotCompilable(ValueError):
    """Rules, or a position, that the kernel cannot express: it says which, and approximates nothing."""
