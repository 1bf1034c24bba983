"""The live table without I/O: messages and time in, messages out."""
