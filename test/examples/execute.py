"""Executes notebooks as Jupyter does, in the folder of their home, and writes them with their outputs.

    python execute.py FOLDER NOTEBOOK...

FOLDER receives the executed notebooks. Nothing in an output depends on the clock or on the machine, so that two
executions on the same market differ in the bytes of pictures at most.
"""

import json
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

folder, *paths = map(Path, sys.argv[1:])
for path in paths:
    notebook = nbformat.read(path, as_version=4)
    kept = json.loads(json.dumps(notebook.metadata))
    NotebookClient(notebook, timeout=600, kernel_name="python3", record_timing=False).execute()
    notebook.metadata = nbformat.from_dict(kept)
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict({})
    text = nbformat.writes(notebook).rstrip("\n")
    (folder / path.name).write_text(text + "\n", encoding="utf-8")
