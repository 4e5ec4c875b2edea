"""What DuckDB says of a table: the same statement for every catalog it is read through."""

from answer import text
from values import value_of

EXACT = {
    "date": "date_diff('day', DATE '1970-01-01', {})",
    "instant": "epoch_us({})",
    "boolean": "{}::INTEGER",
}
SUMMAND = {"text": "strlen({})", "double": "floor({} * 1e6)::HUGEINT"}


def figures(connection, table, question):
    types = {name: type_ for name, type_, *_ in connection.sql(f"DESCRIBE {table}").fetchall()}
    kinds = {column["name"]: column["kind"] for column in question["columns"]}
    asked = ["count(*)"]
    for name in types:
        column = f'"{name}"'
        exact = EXACT.get(kinds.get(name), "{}").format(column)
        summand = SUMMAND.get(kinds.get(name), "{}").format(exact)
        asked += [f"count({column})", f"sum({summand})", f"min({exact})", f"max({exact})"]
    rows, *said = connection.sql(f"SELECT {', '.join(asked)} FROM {table}").fetchall()[0]
    four = [iter(said)] * 4
    return {
        "rows": text(rows),
        "columns": {
            name: {"type": types[name], **dict(zip(("values", "sum", "min", "max"), map(text, each)))}
            for name, each in zip(types, zip(*four))
        },
        "probes": [text(count(connection, table, **probe)) for probe in question["probes"]],
    }


def count(connection, table, column, value):
    name = f'"{column["name"]}"'
    query = f'SELECT count(*) FROM {table} WHERE {name} IS NOT DISTINCT FROM CAST($value AS {column["type"]})'
    wanted = value_of(column["kind"], value)
    # An instant is bound as text: DuckDB's client would ask for pytz.
    bound = wanted.isoformat() if wanted and column["kind"] == "instant" else wanted
    return connection.execute(query, {"value": bound}).fetchall()[0][0]
