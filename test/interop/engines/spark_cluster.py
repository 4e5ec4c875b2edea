"""Answers statements on a standalone cluster that reads a bucket: bars and their returns of the whole market, and marts.

spark_cluster.py MASTER URL ENDPOINT STATEMENTS: a JSON object of statements, answers as JSON. Every task runs on an executor; the workers are processes of their own.
"""

import json
import os
import sys
import time

import pyspark
from spark_session import open_session

master, url, endpoint, statements = sys.argv[1:]
HADOOP_AWS = "org.apache.hadoop:hadoop-aws:3.5.0"

spark = open_session(
    master,
    partitions=4,
    settings={
        "spark.hadoop.fs.s3a.endpoint": endpoint,
        "spark.hadoop.fs.s3a.endpoint.region": "us-east-1",
        "spark.hadoop.fs.s3a.path.style.access": "true",
        "spark.hadoop.fs.s3a.connection.ssl.enabled": "false",
        "spark.hadoop.fs.s3a.access.key": os.environ["AWS_ACCESS_KEY_ID"],
        "spark.hadoop.fs.s3a.secret.key": os.environ["AWS_SECRET_ACCESS_KEY"],
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.executor.memory": "700m",
        "spark.executor.cores": "1",
    },
    extra_packages=[HADOOP_AWS],
)
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
