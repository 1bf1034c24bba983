"""What must be fast: play out, count, sample hidden hands, solve; policies and solver as Python alone too."""


class NotCompilable(ValueError):
    """Rules, or a position, that the kernel cannot express: it says which, and approximates nothing."""
