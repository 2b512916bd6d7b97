"""The official Python clients with the address alone: prints the page of consent, reads where the browser went, prints the tools."""

import asyncio
import json
import sys
from urllib.parse import parse_qs, urlparse

from mcp.client.auth import OAuthClientProvider
from mcp.shared.auth import OAuthClientMetadata


class Memory:
    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


async def leave(url):
    print(json.dumps({"page": url}), flush=True)


async def returned():
    line = await asyncio.to_thread(sys.stdin.readline)
    query = {name: values[0] for name, values in parse_qs(urlparse(line.strip()).query).items()}
    try:
        from mcp.shared.auth import AuthorizationCodeResult
    except ImportError:
        return query["code"], query.get("state")
    return AuthorizationCodeResult(code=query["code"], state=query.get("state"), iss=query.get("iss"))


def provider(url, redirect):
    metadata = OAuthClientMetadata(
        client_name="Python client",
        redirect_uris=[redirect],
        grant_types=["authorization_code", "refresh_token"],
        response_types=["code"],
        token_endpoint_auth_method="none",
    )
    return OAuthClientProvider(url, metadata, Memory(), redirect_handler=leave, callback_handler=returned)


async def handshake(url, auth):
    from mcp import ClientSession
    from mcp.client.streamable_http import streamablehttp_client

    async with streamablehttp_client(url, auth=auth) as (read, write, _):
        async with ClientSession(read, write) as session:
            await session.initialize()
            return len((await session.list_tools()).tools)


async def modern(url, auth, mode):
    import httpx2
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client

    async with httpx2.AsyncClient(auth=auth, timeout=60) as http_client:
        async with Client(streamable_http_client(url, http_client=http_client), mode=mode) as client:
            return len((await client.list_tools()).tools)


async def main(url, redirect, mode):
    auth = provider(url, redirect)
    tools = await (handshake(url, auth) if mode == "session" else modern(url, auth, mode))
    print(json.dumps({"tools": tools}), flush=True)


asyncio.run(main(*sys.argv[1:]))
