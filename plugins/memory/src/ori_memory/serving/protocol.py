"""The protocol itself, by its official library: what a connection may ask, put to the desk."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any

from aries_kernel.errors import AriesError
from ori_memory.serving.resources import MIME_TYPE, read_resource
from ori_memory.serving.told import Call

if TYPE_CHECKING:
    import mcp.types as types
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server

    from ori_memory.serving.desk import Desk
    from ori_memory.serving.opening import Welcome

__all__ = ["make_server"]


def make_server(desk: Desk, welcome: Welcome) -> Server[Any]:
    """The library's server over a desk. Importing the library takes about a second; this is where that happens."""
    import anyio
    import anyio.to_thread
    import mcp.types as types
    from mcp.server.lowlevel import Server
    from mcp.shared.exceptions import MCPError

    session = f"mcp-{os.urandom(4).hex()}"
    tools = [types.Tool.model_validate(one) for one in welcome.tools()]
    resources = [types.Resource.model_validate(one) for one in welcome.resources()]

    async def list_tools(context: ServerRequestContext[Any], params: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools)

    async def call_tool(
        context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        given_up = threading.Event()
        call = Call(_client(context), _session(context) or session, given_up.is_set)

        def ask() -> types.CallToolResult:
            reply = desk.answer(params.name, params.arguments, call)
            content = types.TextContent(type="text", text=reply.text)
            return types.CallToolResult(content=[content], is_error=reply.is_error)

        try:
            return await anyio.to_thread.run_sync(ask, abandon_on_cancel=True)
        except anyio.get_cancelled_exc_class():
            given_up.set()
            raise

    async def list_resources(context: ServerRequestContext[Any], params: object) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=resources)

    async def read(
        context: ServerRequestContext[Any], params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        try:
            desk.require_vault()
            text = await anyio.to_thread.run_sync(read_resource, desk.vault, str(params.uri))
        except AriesError as error:
            raise MCPError(code=types.INVALID_PARAMS, message=str(error)) from error
        content = types.TextResourceContents(uri=params.uri, text=text, mime_type=MIME_TYPE)
        return types.ReadResourceResult(contents=[content])

    return Server(
        welcome.name,
        version=welcome.version,
        instructions=welcome.instructions,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_read_resource=read,
    )


def _client(context: ServerRequestContext[Any]) -> str:
    """The client's name, as it says it."""
    info = getattr(getattr(context.session, "client_params", None), "client_info", None)
    return str(getattr(info, "name", ""))[:80]


def _session(context: ServerRequestContext[Any]) -> str:
    """Over HTTP, where many share a server: the id of the connection."""
    headers = getattr(getattr(context, "request", None), "headers", None)
    return f"mcp-{headers['mcp-session-id'][:32]}" if headers and "mcp-session-id" in headers else ""
