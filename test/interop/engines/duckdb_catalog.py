"""Another DuckDB than the writer's opens the catalog, as analysts do. It has no version but the current one."""

import duckdb
from answer import serve
from figures import figures


def answer(question):
    with duckdb.connect(question["catalog"], read_only=True) as catalog:
        # The catalog also derives the timeframes that are stored nowhere.
        where = "NOT is_derived" if question["relation"] == "market.candle" else "true"
        return figures(catalog, f"(FROM {question['relation']} WHERE {where})", question)


serve(f"duckdb {duckdb.__version__}", answer)
