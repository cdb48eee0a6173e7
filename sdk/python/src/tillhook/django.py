"""A view for Django: ``path("webhooks", webhook_view(secret, on_event))``."""

from __future__ import annotations

from typing import Any, Callable, Sequence, Union

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from .webhooks import WebhookEvent, answer


def webhook_view(
    secret: Union[str, Sequence[str]], on_event: Callable[[WebhookEvent], Any]
) -> Callable[[HttpRequest], HttpResponse]:
    """Store the event in ``on_event`` and return: Tillhook waits 2 seconds."""

    @csrf_exempt
    @require_POST
    def tillhook_webhook(request: HttpRequest) -> HttpResponse:
        status, text = answer(request.body, request.headers, secret, on_event)
        return HttpResponse(text, status=status, content_type="text/plain")

    return tillhook_webhook
