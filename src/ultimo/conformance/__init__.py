"""The conformance suite: vectors for any engine of these games, in words that belong to no language.

`conformance/README.md` says what a vector is; `notation` reads and writes what stands in one, `plain` and
`compiled` answer it, `suite` compares, `running` asks a program.
"""
