"""DuckLake's own extension reads the lake through lake.ducklake; a version of a table is the publication that wrote it."""

import json
from pathlib import Path

import duckdb
from answer import serve
from extensions import extension
from figures import figures

EXTENSION = extension("ducklake")


def answer(question):
    lake = Path(question["catalog"]).parent / "lake.ducklake"
    with duckdb.connect() as connection:
        connection.execute(f"LOAD '{EXTENSION}'")
        connection.execute(f"ATTACH 'ducklake:{lake}' AS lake (READ_ONLY)")
        table = f"lake.{question['relation']}"
        if question["version"] is not None:
            table += f" AT (VERSION => {publication(question['table'], question['version'])})"
        # One statement reads the table several times: a view gives it one name.
        connection.execute(f"CREATE TEMP VIEW read AS FROM {table}")
        return figures(connection, "read", question)


def publication(table, version):
    for line in Path(table, "_delta_log", f"{version:020}.json").read_text().splitlines():
        if "commitInfo" in (action := json.loads(line)):
            return action["commitInfo"]["publication"]


serve(f"ducklake of {duckdb.__version__}", answer)
