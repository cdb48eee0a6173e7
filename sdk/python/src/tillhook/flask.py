"""A view for Flask: ``app.post("/webhooks")(webhook_view(secret, on_event))``."""

from __future__ import annotations

from typing import Any, Callable, Sequence, Union

from flask import Response, request

from .webhooks import WebhookEvent, answer


def webhook_view(secret: Union[str, Sequence[str]], on_event: Callable[[WebhookEvent], Any]) -> Callable[[], Response]:
    """Store the event in ``on_event`` and return: Tillhook waits 2 seconds."""

    def tillhook_webhook() -> Response:
        status, text = answer(request.get_data(), dict(request.headers), secret, on_event)
        return Response(text, status, content_type="text/plain")

    return tillhook_webhook
