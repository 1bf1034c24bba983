"""Ultimo: Danish Tarok and French Tarot, exactly."""
