"""What both families share: following, winning, choosing, telling."""
