"""The whole house on one device: the tables, the school and the score sheet, inside a worker of a browser.

The page talks to it as it talks to a server: the same paths, the same messages. It needs the standard library
and msgspec, no threads and no processes. One person lives here, and what they do is kept by `Storage`.
"""
