"""Answers statements by a Trino server: trino.py ADDRESS, statements as a JSON list on stdin, answers as a JSON list."""

import json
import sys
import urllib.request

address = sys.argv[1]


def answer(statement):
    request = urllib.request.Request(
        f"{address}/v1/statement", data=statement.encode(), headers={"X-Trino-User": "interop"}
    )
    rows, page = [], json.load(urllib.request.urlopen(request))
    while True:
        if "error" in page:
            raise SystemExit(f"{statement}: {page['error']['message']}")
        rows += page.get("data") or []
        if "nextUri" not in page:
            return rows
        page = json.load(urllib.request.urlopen(page["nextUri"]))


print(json.dumps([answer(statement) for statement in json.load(sys.stdin)]))
