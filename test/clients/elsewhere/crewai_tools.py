"""mcpadapt, through which CrewAI calls tools, in one session: prints what it sees, and again when a line comes in.

CrewAI itself is a gigabyte of packages, so its adapter is here in short: each tool gets a Pydantic model, made from its schema, and a
call sends every field of the model, with None for optional arguments that were left out.
"""

import json
import sys

from mcpadapt.core import MCPAdapt, ToolAdapter
from mcpadapt.utils.modeling import create_model_from_json_schema, resolve_refs_and_remove_defs


class Tool:
    def __init__(self, name, model, func):
        self.name, self.model, self.func = name, model, func

    def run(self, **arguments):
        return self.func(self.model(**arguments).model_dump())


class Adapter(ToolAdapter):
    def adapt(self, func, mcp_tool):
        schema = resolve_refs_and_remove_defs(mcp_tool.inputSchema)
        return Tool(mcp_tool.name, create_model_from_json_schema(schema), func)

    async def async_adapt(self, afunc, mcp_tool):
        raise NotImplementedError


def look(tools):
    create = next(tool for tool in tools if tool.name == "tasks_create")
    called = create.run(repo="kept", title="go on")
    print(json.dumps({"tools": len(tools), "repo": called.structuredContent["task"]["repo"]}), flush=True)


with MCPAdapt({"url": sys.argv[1], "transport": "streamable-http"}, Adapter()) as tools:
    look(tools)
    sys.stdin.readline()
    look(tools)
