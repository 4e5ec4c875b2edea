"""Asks the catalog or the DuckLake of a lake in a bucket: bucket_reads.py catalog|ducklake URL ENDPOINT, with one statement per line of standard input.

Prints, as a JSON list, the rows of each answer.
"""

import json
import os
import sys

from extensions import reader_of_bucket

what, url, endpoint = sys.argv[1:]
key, secret = os.environ["AWS_ACCESS_KEY_ID"], os.environ["AWS_SECRET_ACCESS_KEY"]
connection = reader_of_bucket(endpoint, key, secret, "httpfs", "ducklake")
place = f"{url}/catalog.duckdb" if what == "catalog" else f"ducklake:{url}/lake.ducklake"
connection.execute(f"ATTACH '{place}' AS lake (READ_ONLY)")
connection.execute("USE lake")
print(json.dumps([connection.execute(statement).fetch_arrow_table().num_rows for statement in sys.stdin.read().splitlines()]))
