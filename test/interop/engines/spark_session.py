"""A session of Spark that reads Delta tables."""

import os
import sys

from delta import configure_spark_with_delta_pip
from pyspark.sql import SparkSession


def open_session(master, partitions, settings={}, extra_packages=None):
    """A session on a master. `partitions` is how many a shuffle has, `settings` are further ones by name."""
    # A worker uses the Python that the driver is.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = (
        SparkSession.builder.master(master)
        .appName("candlehouse interop")
        .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
        .config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.session.timeZone", "UTC")
        # The defaults are those of large tables: 50 tasks to read a log of ten lines.
        .config("spark.databricks.delta.snapshotPartitions", "2")
        .config("spark.sql.shuffle.partitions", str(partitions))
    )
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = configure_spark_with_delta_pip(builder, extra_packages=extra_packages).getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark
