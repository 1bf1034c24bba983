"""Danish deals in compiled loops."""
