"""Run the notebook of the examples, and store what it prints in it.

python tools/write_notebook.py
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import nbformat
from jupyter_client import AsyncKernelManager
from nbclient import NotebookClient
from nbformat import NotebookNode

NOTEBOOK = Path(__file__).parents[1] / "examples" / "research" / "first_steps.ipynb"
SECONDS = 120  # for one cell: the first of them may compile


def stored() -> NotebookNode:
    """The notebook as it lies there."""
    return nbformat.read(NOTEBOOK, as_version=4)


def executed(folder: Path) -> NotebookNode:
    """The notebook as it comes out of a kernel that works in a folder; raises where a cell does."""
    notebook = stored()
    with tempfile.TemporaryDirectory() as own:  # the kernel is spoken to by files here, not by ports
        kernel = AsyncKernelManager(transport="ipc", connection_file=f"{own}/kernel.json")
        where = {"metadata": {"path": str(folder)}}
        client = NotebookClient(notebook, kernel, timeout=SECONDS, record_timing=False, resources=where)
        client.execute(cleanup_kc=True, env={**os.environ, "IPYTHONDIR": own})
    notebook.metadata["language_info"] = {"name": "python"}  # whoever runs it may have another version
    return notebook


def printed(notebook: NotebookNode) -> list[str]:
    """What each cell of code has printed."""
    return [
        "".join(output.get("text", "") for output in cell.outputs)
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


def main() -> None:
    """Write the notebook with its outputs."""
    with tempfile.TemporaryDirectory() as folder:
        nbformat.write(executed(Path(folder)), NOTEBOOK)


if __name__ == "__main__":
    main()
