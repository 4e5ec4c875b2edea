"""DuckDB's extensions from PyPI."""

from importlib import import_module
from pathlib import Path

import duckdb


def extension(name):
    """The file of an extension that a package of PyPI brings for this DuckDB."""
    folder = Path(import_module(f"duckdb_extension_{name}").__file__).parent
    return next(folder.glob(f"extensions/v{duckdb.__version__}/*.duckdb_extension"))
