"""French deals in compiled loops."""
