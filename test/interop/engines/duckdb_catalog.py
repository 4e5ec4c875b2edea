"""Another DuckDB than the writer's opens the catalog, as analysts do. It has no version but the current one."""

import duckdb
from answer import serve, text
from values import value_of

EXACT = {
    "date": "date_diff('day', DATE '1970-01-01', {})",
    "instant": "epoch_us({})",
    "boolean": "{}::INTEGER",
}
SUMMAND = {"text": "strlen({})", "double": "floor({} * 1e6)::HUGEINT"}


def answer(question):
    with duckdb.connect(question["catalog"], read_only=True) as catalog:
        # The catalog also derives the timeframes that are stored nowhere.
        where = "NOT is_derived" if question["relation"] == "market.candle" else "true"
        table = f"(FROM {question['relation']} WHERE {where})"
        types = {name: type_ for name, type_, *_ in catalog.sql(f"DESCRIBE {table}").fetchall()}
        types.pop("local_time", None)
        kinds = {column["name"]: column["kind"] for column in question["columns"]}
        asked = ["count(*)"]
        for name in types:
            column = f'"{name}"'
            exact = EXACT.get(kinds.get(name), "{}").format(column)
            summand = SUMMAND.get(kinds.get(name), "{}").format(exact)
            asked += [f"count({column})", f"sum({summand})", f"min({exact})", f"max({exact})"]
        rows, *said = catalog.sql(f"SELECT {', '.join(asked)} FROM {table}").fetchall()[0]
        four = [iter(said)] * 4
        return {
            "rows": text(rows),
            "columns": {
                name: {"type": types[name], **dict(zip(("values", "sum", "min", "max"), map(text, each)))}
                for name, each in zip(types, zip(*four))
            },
            "probes": [text(count(catalog, table, **probe)) for probe in question["probes"]],
        }


def count(catalog, table, column, value):
    query = f'SELECT count(*) FROM {table} WHERE "{column["name"]}" IS NOT DISTINCT FROM CAST($value AS {column["type"]})'
    wanted = value_of(column["kind"], value)
    # An instant is bound as text: DuckDB's client would ask for pytz.
    bound = wanted.isoformat() if wanted and column["kind"] == "instant" else wanted
    return catalog.execute(query, {"value": bound}).fetchall()[0][0]


serve(f"duckdb {duckdb.__version__}", answer)
