"""What the official Python client saw: called with the endpoint and a mode, prints one JSON object."""

import asyncio
import json
import sys

from mcp import Client, MCPError, types


async def fill_in(_context, params):
    return types.ElicitResult(action="accept", content={"name": "Ada"})


async def say(_context, params):
    text = types.TextContent(type="text", text=f"You asked: {params.messages[0].content.text}")
    return types.CreateMessageResult(role="assistant", content=text, model="test")


async def main(url, mode):
    progress = []

    async def on_progress(done, _total, _message):
        progress.append(done)

    async with Client(url, mode=mode, elicitation_callback=fill_in, sampling_callback=say) as client:
        try:
            await client.call_tool("nothing")
            unknown = None
        except MCPError as error:
            unknown = error.error.code
        greeted = await client.call_tool("greet", {"name": "Ada"})
        refused = await client.call_tool("test_error_handling")
        await client.call_tool("test_tool_with_progress", progress_callback=on_progress)
        asked = await client.call_tool("test_input_required_result_elicitation")
        sampled = await client.call_tool("test_sampling", {"prompt": "Well?"})
        read = await client.read_resource("test://static-text")
        prompted = await client.get_prompt("test_simple_prompt")
        seen = {
            "version": client.protocol_version,
            "tools": [tool.name for tool in (await client.list_tools()).tools],
            "unknown": unknown,
            "greeted": greeted.content[0].text,
            "refused": refused.is_error,
            "progress": progress,
            "asked": asked.content[0].text,
            "sampled": sampled.content[0].text,
            "read": read.contents[0].text,
            "prompted": prompted.messages[0].content.text,
        }
    print(json.dumps(seen))


asyncio.run(main(*sys.argv[1:]))
