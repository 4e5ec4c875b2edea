"""One-minute candles through dlt's REST client into DuckDB: appended, nothing checked.

usage: TOKEN=... dlt_candles.py BASE_URL FROM TO FOLDER SYMBOL...
"""

import os
import sys

import dlt
from dlt.sources.helpers.rest_client import RESTClient
from dlt.sources.helpers.rest_client.auth import BearerTokenAuth
from dlt.sources.helpers.rest_client.paginators import PageNumberPaginator

base_url, first, last, folder, *symbols = sys.argv[1:]


@dlt.resource(name="candle", write_disposition="append")
def candles():
    client = RESTClient(
        base_url=base_url,
        auth=BearerTokenAuth(os.environ["TOKEN"]),
        headers={"content-type": "application/json"},
    )
    for symbol in symbols:
        paginator = PageNumberPaginator(base_page=1, page_param="pageIndex", total_path="pageCount")
        query = {"symbol": symbol, "from": first, "to": last, "timeFrame": "1m", "pageSize": 1000}
        yield from client.paginate(
            "/api/v3/data/ohlc", params=query, paginator=paginator, data_selector="data"
        )


pipeline = dlt.pipeline(
    "candles",
    pipelines_dir=f"{folder}/state",
    destination=dlt.destinations.duckdb(f"{folder}/dlt.duckdb"),
    dataset_name="market",
)
pipeline.run(candles())
with pipeline.sql_client() as sql:
    print(sql.execute_sql("SELECT count(*) FROM candle")[0][0])
