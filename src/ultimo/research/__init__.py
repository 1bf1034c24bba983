"""The doors for researchers: observations, environments, a corpus. None has a rule of its own."""
