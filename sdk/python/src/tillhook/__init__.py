"""Calls the Tillhook API and verifies Tillhook's webhooks."""

from ._client import AsyncTillhook, Tillhook
from .errors import TillhookConnectionError, TillhookError
from .webhooks import WebhookError, WebhookEvent, verify_webhook

__all__ = [
    "AsyncTillhook",
    "Tillhook",
    "TillhookConnectionError",
    "TillhookError",
    "WebhookError",
    "WebhookEvent",
    "verify_webhook",
]
