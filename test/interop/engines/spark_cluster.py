"""Answers statements on a standalone cluster that reads a bucket: bars and their returns of the whole market, and marts.

spark_cluster.py MASTER URL ENDPOINT STATEMENTS: a JSON object of statements, answers as JSON. Every task runs on an executor; the workers are processes of their own.
"""

import json
import os
import sys
import time

import pyspark
from delta import configure_spark_with_delta_pip
from pyspark.sql import SparkSession

master, url, endpoint, statements = sys.argv[1:]
HADOOP_AWS = "org.apache.hadoop:hadoop-aws:3.5.0"

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
    answers, seconds = {}, {}
    for name, statement in json.loads(statements).items():
        started = time.monotonic()
        [row] = spark.sql(statement).collect()
        answers[name] = [None if value is None else str(value) for value in row]
        seconds[name] = round(time.monotonic() - started, 1)
    hosts = spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1
    engine = f"spark {pyspark.__version__}"
    print(json.dumps({"engine": engine, "executors": hosts, "seconds": seconds["bars"], "answers": answers}))
finally:
    spark.stop()
