"""Asks `candlehouse mcp` through the Python client of the Model Context Protocol: python mcp_client.py NODE MAIN HOME.

Prints one line of JSON: what the server offers, and whether a query, its repetition by hash, the rows behind an
aggregate and a trace answer as they should.
"""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

node, main, home = sys.argv[1:4]

TOTAL = "select sum(total_match) as shares, count(*) as symbols from market.daily_summary where symbol in ('FPT', 'HPG', 'VNM') and trading_date = mart.latest_session()"


async def ask() -> dict[str, object]:
    server = StdioServerParameters(command=node, args=[main, "mcp", "--home", home])
    async with stdio_client(server) as (reading, writing), ClientSession(reading, writing) as session:
        await session.initialize()
        tools = [tool.name for tool in (await session.list_tools()).tools]
        resources = [str(resource.uri) for resource in (await session.list_resources()).resources]
        prompts = [prompt.name for prompt in (await session.list_prompts()).prompts]

        async def call(name: str, given: dict[str, object]) -> dict[str, object]:
            result = await session.call_tool(name, given)
            content = getattr(result, "structured_content", None) or getattr(result, "structuredContent", None)
            if content is None:
                raise SystemExit(f"{name}: {result}")
            return content

        total = await call("query", {"sql": TOTAL})
        again = await call("query", {"statement_hash": total["statement_hash"]})
        behind = await call("query", {"sql": total["rows_behind"]["sql"], "limit": 500})
        names = [column["name"] for column in behind["columns"]]
        first = dict(zip(names, behind["rows"][0], strict=True))
        key = {"symbol": first["symbol"], "trading_date": first["trading_date"]}
        traced = await call("trace", {"relation": "market.daily_summary", "key": key})
        shares = sum(int(row[names.index("total_match")]) for row in behind["rows"])
        return {
            "tools": tools,
            "resources": len(resources),
            "prompts": prompts,
            "same again": again == total,
            "sum of the rows": shares == int(total["rows"][0][0]),
            "record": any(row[1] == "record" and row[2] == "text" for row in traced["rows"]),
        }


print(json.dumps(asyncio.run(ask())))
