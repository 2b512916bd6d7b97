"""FastMCP’s client, in one session: prints what it sees, and again when a line comes in."""

import asyncio
import json
import sys

from fastmcp import Client


async def look(client):
    tools = await client.list_tools()
    called = await client.call_tool("tasks_create", {"repo": "kept", "title": "go on"})
    print(json.dumps({"tools": len(tools), "repo": called.structured_content["task"]["repo"]}), flush=True)


async def main(url):
    async with Client(url) as client:
        await look(client)
        await asyncio.to_thread(sys.stdin.readline)
        await look(client)


asyncio.run(main(sys.argv[1]))
