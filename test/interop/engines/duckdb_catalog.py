"""Another DuckDB than the writer's opens the catalog, as analysts do. It has no version but the current one."""

import duckdb
from answer import serve
from figures import figures


def answer(question):
    with duckdb.connect(question["catalog"], read_only=True) as catalog:
        # The catalog also derives timeframes and columns that are stored nowhere.
        where = "NOT is_derived" if question["relation"] == "market.candle" else "true"
        names = ", ".join(f'"{column["name"]}"' for column in question["columns"])
        return figures(catalog, f"(SELECT {names} FROM {question['relation']} WHERE {where})", question)


serve(f"duckdb {duckdb.__version__}", answer)
