"""The policies of the kernel at a table: a view in, an action out, and why."""
