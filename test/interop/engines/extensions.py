"""DuckDB's extensions from PyPI."""

from importlib import import_module
from pathlib import Path

import duckdb


def extension(name):
    """The file of an extension that a package of PyPI brings for this DuckDB."""
    folder = Path(import_module(f"duckdb_extension_{name}").__file__).parent
    return next(folder.glob(f"extensions/v{duckdb.__version__}/*.duckdb_extension"))


def reader_of_bucket(endpoint, key, secret, *names):
    """A DuckDB with these extensions that reads buckets of one service, whose address is http://HOST:PORT."""
    connection = duckdb.connect()
    for name in names:
        connection.execute(f"LOAD '{extension(name)}'")
    host = endpoint.removeprefix("http://")
    connection.execute(
        f"CREATE SECRET (TYPE s3, KEY_ID '{key}', SECRET '{secret}', ENDPOINT '{host}', URL_STYLE 'path', USE_SSL false)"
    )
    return connection
