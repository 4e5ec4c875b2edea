"""What DuckLake's own extension writes for one file of a table: the fixture of test/lake/ducklake.test.ts.

ducklake_format.py FILE: prints ok where FILE is what the extension writes; else ends with 1. Without FILE: prints it as JSON.
"""

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
from extensions import extension

COLUMNS = [
    ("symbol", "VARCHAR"),
    ("trading_date", "DATE"),
    ("price", "DECIMAL(18,6)"),
    ("value", "DECIMAL(24,4)"),
    ("volume", "BIGINT"),
    ("ordinal", "INTEGER"),
    ("is_derived", "BOOLEAN"),
    ("ratio", "DOUBLE"),
    ("opened_at", "TIMESTAMP WITH TIME ZONE"),
]
ROWS = """
SELECT * FROM (VALUES
  ('FPT', DATE '2025-03-13', 27000.5, 99999999999999999999.1234, 9007199254740993, 1, true, 0.1, TIMESTAMPTZ '2025-03-13 02:15:00+00'),
  ('Sở "1":2,', DATE '2025-03-14', -0.000001, -5, 7, NULL, false, -2.5e10, TIMESTAMPTZ '2025-03-14 02:15:00.25+00'),
  (NULL, NULL, NULL, NULL, NULL, -3, NULL, NULL, NULL)
) rows(symbol, trading_date, price, value, volume, ordinal, is_derived, ratio, opened_at)
"""
# What is new each time, or what only the extension knows: column_size_bytes, footer_size.
LEFT_OUT = {"schema_uuid", "table_uuid", "snapshot_time", "column_size_bytes", "footer_size", "file_size_bytes"}


def rows(connection, table):
    names = [name for name, *_ in connection.execute(f"DESCRIBE {table}").fetchall() if name not in LEFT_OUT]
    listed = ", ".join(f'"{name}"' for name in names)
    found = connection.execute(f"SELECT {listed} FROM {table} ORDER BY ALL").fetchall()
    return [dict(zip(names, row)) for row in found]


def main():
    with TemporaryDirectory() as place:
        connection = duckdb.connect()
        connection.execute(f"LOAD '{extension('ducklake')}'")
        connection.execute("SET TimeZone = 'UTC'")
        lake = Path(place, "lake")
        (lake / "market/sample").mkdir(parents=True)
        types = ", ".join(f"{name}::{type_} AS {name}" for name, type_ in COLUMNS)
        connection.execute(f"COPY (SELECT {types} FROM ({ROWS})) TO '{lake}/market/sample/all.parquet'")
        connection.execute(f"ATTACH 'ducklake:{place}/lake.ducklake' AS dl (DATA_PATH '{lake}/', DATA_INLINING_ROW_LIMIT 0)")
        connection.execute("BEGIN; CREATE SCHEMA dl.market")
        connection.execute(f"CREATE TABLE dl.market.sample ({', '.join(f'{n} {t}' for n, t in COLUMNS)})")
        connection.execute("COMMENT ON TABLE dl.market.sample IS 'One row per symbol.'")
        connection.execute("COMMENT ON COLUMN dl.market.sample.symbol IS 'Symbol.'")
        connection.execute(
            f"CALL ducklake_add_data_files('dl', 'sample', '{lake}/market/sample/all.parquet', schema => 'market')"
        )
        connection.execute("COMMIT; DETACH dl")
        connection.execute(f"ATTACH '{place}/lake.ducklake' AS m (READ_ONLY)")
        tables = connection.execute(
            "SELECT table_name, sql FROM duckdb_tables() WHERE database_name = 'm' ORDER BY 1"
        ).fetchall()
        connection.execute("USE m")
        written = {
            "extension": f"DuckDB {duckdb.__version__}",
            "columns": COLUMNS,
            "rows": ROWS.strip(),
            "tables": {name: sql for name, sql in tables},
            "content": {name: rows(connection, name) for name, _ in tables if rows(connection, name)},
        }
        return json.loads(json.dumps(written, default=str).replace(place, "PLACE"))


found = main()
if len(sys.argv) == 1:
    print(json.dumps(found, indent=1, ensure_ascii=False))
else:
    fixture = json.loads(Path(sys.argv[1]).read_text())
    if fixture != found:
        sys.exit(f"{sys.argv[1]} is not what {found['extension']} writes")
    print(f"the format of DuckLake is that of the extension of {found['extension']}")
