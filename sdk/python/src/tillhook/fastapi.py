"""A route for FastAPI and Starlette: ``app.add_api_route("/webhooks", webhook_route(secret, on_event), methods=["POST"])``."""

from __future__ import annotations

import inspect
from typing import Any, Callable, Sequence, Union

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse

from .webhooks import WebhookError, WebhookEvent, verify_webhook


def webhook_route(secret: Union[str, Sequence[str]], on_event: Callable[[WebhookEvent], Any]) -> Callable[..., Any]:
    """``on_event`` may be a coroutine function; a plain function runs in a thread. Store the event and return: Tillhook waits 2 seconds."""

    async def tillhook_webhook(request: Request) -> PlainTextResponse:
        try:
            event = verify_webhook(await request.body(), request.headers, secret)
        except WebhookError as error:
            return PlainTextResponse(str(error), 400)
        # An exception becomes status 500, after which Tillhook repeats the webhook.
        if inspect.iscoroutinefunction(on_event):
            await on_event(event)
        else:
            await run_in_threadpool(on_event, event)
        return PlainTextResponse("")

    # FastAPI reads the annotations, which are text here.
    tillhook_webhook.__annotations__ = {"request": Request}
    return tillhook_webhook
