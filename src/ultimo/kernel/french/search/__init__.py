"""French endings with all cards face up, searched."""
