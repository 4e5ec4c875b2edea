"""What a home has published: its tables through the Delta logs, and the rows of its views through the catalog."""

from functools import cache
from pathlib import Path

import duckdb
import polars as pl

Row = dict[str, object]


class Home:
    """Tables are read by Polars from Parquet alone; DuckDB answers only for the views under test."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.catalog = duckdb.connect(str(folder / "catalog.duckdb"), read_only=True)
        self.catalog.execute("SET TimeZone = 'UTC'")
        self.table = cache(self._table)
        self.by_symbol = cache(self._by_symbol)

    def frame(self, relation: str) -> pl.DataFrame:
        frame = pl.read_delta(str(self.folder / "lake" / relation.replace(".", "/")))
        return frame.drop("month", strict=False)

    def _table(self, relation: str) -> list[Row]:
        return self.frame(relation).to_dicts()

    def _by_symbol(self, relation: str) -> dict[str, list[Row]]:
        """Rows of each symbol, oldest session first."""
        grouped: dict[str, list[Row]] = {}
        for row in self.table(relation):
            grouped.setdefault(row["symbol"], []).append(row)
        for rows in grouped.values():
            rows.sort(key=lambda row: row["trading_date"])
        return grouped

    def view(self, query: str) -> tuple[dict[str, str], list[Row]]:
        """Types by column, and rows."""
        answer = self.catalog.sql(f"FROM {query}")
        types = dict(zip(answer.columns, map(str, answer.types), strict=True))
        return types, pl.from_arrow(answer.to_arrow_table()).to_dicts()
