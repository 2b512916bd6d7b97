"""OpenAI’s Agents SDK for Python, in one session: prints what it sees, and again when a line comes in."""

import asyncio
import json
import sys

from agents.mcp import MCPServerStreamableHttp


async def look(server):
    tools = await server.list_tools()
    called = await server.call_tool("tasks_create", {"repo": "kept", "title": "go on"})
    print(json.dumps({"tools": len(tools), "repo": called.structured_content["task"]["repo"]}), flush=True)


async def main(url):
    async with MCPServerStreamableHttp(params={"url": url}) as server:
        await look(server)
        await asyncio.to_thread(sys.stdin.readline)
        await look(server)


asyncio.run(main(sys.argv[1]))
