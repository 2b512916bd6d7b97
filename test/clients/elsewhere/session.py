"""The official Python client of the handshake era, in one session: prints what it sees, and again when a line comes in."""

import asyncio
import json
import sys

from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client


async def look(session):
    tools = (await session.list_tools()).tools
    called = await session.call_tool("tasks_create", {"repo": "kept", "title": "go on"})
    print(json.dumps({"tools": len(tools), "repo": called.structuredContent["task"]["repo"]}), flush=True)


async def main(url):
    async with streamablehttp_client(url) as (read, write, _):
        async with ClientSession(read, write) as session:
            await session.initialize()
            await look(session)
            await asyncio.to_thread(sys.stdin.readline)
            await look(session)


asyncio.run(main(sys.argv[1]))
