"""Bars of five minutes and their returns of the whole market, on a standalone cluster that reads a bucket.

spark_cluster.py MASTER URL ENDPOINT: figures as JSON. Every task runs on an executor; the workers are processes of their own.
"""

import json
import os
import sys
import time

import pyspark
from delta import configure_spark_with_delta_pip
from pyspark.sql import SparkSession

master, url, endpoint = sys.argv[1:]
HADOOP_AWS = "org.apache.hadoop:hadoop-aws:3.5.0"

BARS = """
SELECT symbol, trading_date, floor(unix_micros(opened_at) / 300000000) AS bucket,
  min_by(open, opened_at) AS open, max(high) AS high, min(low) AS low, max_by(close, opened_at) AS close,
  sum(volume) AS volume, sum(value) AS value
FROM candle WHERE timeframe = '1m' GROUP BY symbol, trading_date, bucket
"""

RETURNS = """
SELECT *, CAST(close AS DOUBLE) / CAST(lag(close) OVER
  (PARTITION BY symbol, trading_date ORDER BY bucket) AS DOUBLE) - 1 AS bar_return FROM bar
"""

FIGURES = """
SELECT count(*), sum(volume), sum(value), sum(open), sum(high), sum(low), sum(close), count(bar_return),
  sum(CAST(floor(bar_return * 1e9 + 0.5) AS BIGINT)) FROM bar_return
"""

SCREEN = """
SELECT count(*), count(market_cap), sum(CAST(floor(market_cap) AS DECIMAL(38, 0))), sum(mean_volume_20_whole)
FROM (SELECT *, CAST(floor(mean_volume_20) AS BIGINT) AS mean_volume_20_whole FROM daily_factor)
"""

ADJUSTED = """
SELECT count(*), sum(CAST(floor(close_adjusted * 1000 + 0.5) AS BIGINT)), sum(total_match) FROM daily_adjusted
"""

os.environ["PYSPARK_PYTHON"] = sys.executable
builder = (
    SparkSession.builder.master(master)
    .appName("candlehouse interop")
    .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
    .config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
    .config("spark.hadoop.fs.s3a.endpoint", endpoint)
    .config("spark.hadoop.fs.s3a.endpoint.region", "us-east-1")
    .config("spark.hadoop.fs.s3a.path.style.access", "true")
    .config("spark.hadoop.fs.s3a.connection.ssl.enabled", "false")
    .config("spark.hadoop.fs.s3a.access.key", os.environ["AWS_ACCESS_KEY_ID"])
    .config("spark.hadoop.fs.s3a.secret.key", os.environ["AWS_SECRET_ACCESS_KEY"])
    .config("spark.driver.host", "127.0.0.1")
    .config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.executor.memory", "700m")
    .config("spark.executor.cores", "1")
    .config("spark.ui.enabled", "false")
    .config("spark.ui.showConsoleProgress", "false")
    .config("spark.sql.session.timeZone", "UTC")
    .config("spark.databricks.delta.snapshotPartitions", "2")
    .config("spark.sql.shuffle.partitions", "4")
)
spark = configure_spark_with_delta_pip(builder, extra_packages=[HADOOP_AWS]).getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
try:
    for schema, name in [("market", "candle"), ("mart", "daily_factor"), ("mart", "daily_adjusted")]:
        spark.read.format("delta").load(f"{url}/{schema}/{name}").createOrReplaceTempView(name)
    started = time.monotonic()
    spark.sql(BARS).createOrReplaceTempView("bar")
    spark.sql(RETURNS).createOrReplaceTempView("bar_return")

    def one(query):
        [row] = spark.sql(query).collect()
        return [None if value is None else str(value) for value in row]

    figures = {"bars": one(FIGURES)}
    seconds = round(time.monotonic() - started, 1)
    figures |= {"screen": one(SCREEN), "adjusted": one(ADJUSTED)}
    hosts = spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1
    print(json.dumps({"engine": f"spark {pyspark.__version__}", "executors": hosts, "seconds": seconds, **figures}))
finally:
    spark.stop()
