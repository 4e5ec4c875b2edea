"""DuckDB's client for Python with the arguments of a shell: shell.py -readonly -csv -noheader FILE -c SQL"""

import csv
import sys

import duckdb

*_, file, _, sql = sys.argv
with duckdb.connect(file, read_only=True) as connection:
    for statement in connection.extract_statements(sql):
        connection.execute(statement)
    csv.writer(sys.stdout, lineterminator="\n").writerows(connection.fetchall())
