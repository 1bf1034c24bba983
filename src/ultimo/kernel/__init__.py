"""What must be fast: play out, count, sample hidden hands, solve. As Python alone policies and solver run too."""


class NotCompilable(ValueError):
    """Rules, or a position, that the kernel cannot express: it says which, and approximates nothing."""
