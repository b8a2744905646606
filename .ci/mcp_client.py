"""Speaks to `eventrie mcp` with the protocol's own package for Python: every tool is listed and called.

    python .ci/mcp_client.py PATH_OF_EVENTRIE
"""

import asyncio
import sys

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

CALLS = {
    "check": ({"text": '{"source": "aws.ec2"}'}, "error[E0006]"),
    "explain": ({"pattern": {"a": ["x"]}, "event": {"a": "X"}}, "no match"),
    "match": ({"patterns": {"one": {"a": ["x"]}}, "events": [{"a": "x"}]}, "event 0: one"),
    "infer": ({"events": [{"source": "shop", "detail-type": "Order", "detail": {}}]}, '"source":["shop"]'),
    "migrate": ({"pattern": {"source": ["shop"]}}, "aws:Source"),
    "explain_code": ({"code": "E0006"}, "## E0006"),
}


async def session(program: str, mode: str) -> None:
    server = StdioServerParameters(command=program, args=["mcp"])
    async with Client(stdio_client(server), mode=mode) as client:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        assert tools == set(CALLS), tools
        for name, (arguments, expected) in CALLS.items():
            result = await client.call_tool(name, arguments)
            text = result.content[0].text
            assert not result.is_error and expected in text, (name, text)
            assert result.structured_content, name
        refused = await client.call_tool("check", {"file": "x"})
        assert refused.is_error, refused
    print(f"{mode}: {len(CALLS)} tools")


for mode in ["auto", "legacy"]:
    asyncio.run(session(sys.argv[1], mode))
