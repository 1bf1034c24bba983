"""The ASGI server around the live table."""
