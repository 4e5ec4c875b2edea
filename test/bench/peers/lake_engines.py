"""Three questions about the bars of a lake, by one engine: lake_engines.py ENGINE LAKE SYMBOL SESSION. Prints JSON per question.

The engine reads the Delta log of market.candle, as a firm's own machines would. CPU and memory are those of the process and of what it
starts; the second of two rounds shows what an engine that is already up needs.
"""
import json
import os
import sys
import time

ENGINE, LAKE, SYMBOL, SESSION = sys.argv[1:]
THREADS = os.environ.get("BENCH_THREADS", "2")
TABLE = os.path.abspath(os.path.join(LAKE, "market/candle"))
YEAR = SESSION[:4]

QUESTIONS = {
    "a symbol's year of 1m": f"""
        SELECT count(*) AS n, sum(volume) AS volume FROM candle
        WHERE symbol = '{SYMBOL}' AND timeframe = '1m' AND trading_date >= DATE '{YEAR}-01-01' AND trading_date <= DATE '{YEAR}-12-31'""",
    "a session of all symbols": f"""
        SELECT count(*) AS n, sum(volume) AS volume FROM (
          SELECT symbol, sum(volume) AS volume, max(high) AS high, min(low) AS low FROM candle
          WHERE timeframe = '1m' AND trading_date = DATE '{SESSION}' GROUP BY symbol) each_symbol""",
    "daily volume per symbol, all years": """
        SELECT count(*) AS n, sum(volume) AS volume FROM (
          SELECT symbol, trading_date, sum(volume) AS volume FROM candle WHERE timeframe = '1m' GROUP BY symbol, trading_date) each_day""",
}


def of_duckdb():
    import duckdb
    from deltalake import DeltaTable

    files = DeltaTable(TABLE).file_uris()
    connection = duckdb.connect(config={"threads": THREADS})
    connection.execute(f"CREATE VIEW candle AS FROM read_parquet({files!r}, hive_partitioning = false)")
    return f"duckdb {duckdb.__version__}", lambda sql: connection.execute(sql).fetchone()


def of_polars():
    os.environ["POLARS_MAX_THREADS"] = THREADS
    import polars as pl

    frames = pl.SQLContext(candle=pl.scan_delta(TABLE))
    return f"polars {pl.__version__}", lambda sql: frames.execute(sql).collect(engine="streaming").row(0)


def of_deltalake():
    import deltalake
    from deltalake import DeltaTable, QueryBuilder

    builder = QueryBuilder().register("candle", DeltaTable(TABLE))
    row = lambda sql: tuple(next(iter(builder.execute(sql).read_all().to_struct_array().to_pylist())).values())
    return f"deltalake {deltalake.__version__} (DataFusion)", row


def of_chdb():
    from chdb import session

    os.chdir("/")
    server = session.Session()
    server.query(f"SET max_threads = {THREADS}")
    version = str(server.query("SELECT version()")).strip().strip('"')
    source = f"deltaLakeLocal('{TABLE}')"
    ask = lambda sql: json.loads(str(server.query(sql.replace("FROM candle", f"FROM {source}"), "JSONCompact")))["data"][0]
    return f"clickhouse {version} (chdb)", ask


def of_spark():
    import pyspark

    sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../interop/engines"))
    from spark_session import open_session

    memory = os.environ.get("BENCH_SPARK_MEMORY", "3g")
    spark = open_session(f"local[{THREADS}]", partitions=8, settings={"spark.driver.memory": memory})
    spark.read.format("delta").load(TABLE).createOrReplaceTempView("candle")
    return f"spark {pyspark.__version__}", lambda sql: tuple(spark.sql(sql).collect()[0])


def of_trino():
    """ADDRESS of a server that has registered the table as lake.market.candle."""
    import urllib.request

    address = os.environ["TRINO"]

    def ask(sql):
        statement = sql.replace("FROM candle", "FROM lake.market.candle")
        request = urllib.request.Request(
            f"{address}/v1/statement", data=statement.encode(), headers={"X-Trino-User": "bench"}
        )
        rows, page = [], json.load(urllib.request.urlopen(request))
        while True:
            if "error" in page:
                raise SystemExit(page["error"]["message"])
            rows += page.get("data") or []
            if "nextUri" not in page:
                return rows[0]
            page = json.load(urllib.request.urlopen(page["nextUri"]))

    return "trino 476", ask


def processes():
    """This process and all that it started; of a server, that one."""
    server = os.environ.get("TRINO_PID")
    if server and ENGINE == "trino":
        return [int(server)]
    parents = {}
    for name in os.listdir("/proc"):
        try:
            if name.isdigit():
                parents[int(name)] = int(open(f"/proc/{name}/stat").read().rpartition(")")[2].split()[1])
        except OSError:
            pass
    family = {os.getpid()}
    while found := {pid for pid, parent in parents.items() if parent in family and pid not in family}:
        family |= found
    return family


def spent():
    """CPU-seconds so far and the largest memory of all of them, MB."""
    ticks = peak = 0
    for pid in processes():
        try:
            fields = open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:15]))
            # A process that has ended has none.
            lines = open(f"/proc/{pid}/status").readlines()
            peak += next((int(line.split()[1]) for line in lines if line.startswith("VmHWM")), 0)
        except OSError:
            pass
    return ticks / os.sysconf("SC_CLK_TCK"), peak / 1000


start = time.perf_counter()
title, ask = globals()[f"of_{ENGINE}"]()
cpu, peak = spent()
print(json.dumps({"engine": title, "what": "start", "seconds": round(time.perf_counter() - start, 1), "cpu": round(cpu, 1)}))
for what, sql in QUESTIONS.items():
    for turn in (1, 2):
        start, before = time.perf_counter(), spent()[0]
        rows, volume = ask(sql)
        seconds = time.perf_counter() - start
        cpu, peak = spent()
        print(
            json.dumps(
                {
                    "engine": title,
                    "what": what,
                    "round": turn,
                    "seconds": round(seconds, 2),
                    "cpu": round(cpu - before, 2),
                    "peak_mb": round(peak),
                    "rows": int(rows),
                    "volume": int(volume),
                }
            ),
            flush=True,
        )
