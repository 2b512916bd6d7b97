"""LangChain’s adapter for Python, in one session: prints what it sees, and again when a line comes in."""

import asyncio
import json
import sys

from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_mcp_adapters.tools import load_mcp_tools


async def look(session):
    tools = await load_mcp_tools(session)
    create = next(tool for tool in tools if tool.name == "tasks_create")
    content = await create.ainvoke({"repo": "kept", "title": "go on"})
    text = content if isinstance(content, str) else content[0]["text"]
    print(json.dumps({"tools": len(tools), "repo": json.loads(text)["task"]["repo"]}), flush=True)


async def main(url):
    client = MultiServerMCPClient({"gateway": {"transport": "streamable_http", "url": url}})
    async with client.session("gateway") as session:
        await look(session)
        await asyncio.to_thread(sys.stdin.readline)
        await look(session)


asyncio.run(main(sys.argv[1]))
