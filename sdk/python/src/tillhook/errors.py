"""Errors of the client."""

from __future__ import annotations

from typing import Any, Mapping, Optional


class TillhookError(Exception):
    """The API rejected a request.

    ``status`` is the HTTP status, ``code`` the stable name of the problem (for instance ``PLAN_NOT_FOUND``;
    ``UNREADABLE_RESPONSE`` if the response has no error body), ``fields`` the wrong fields,
    and ``request_id`` the id to give to support.
    """

    def __init__(self, status: int, body: Mapping[str, Any], request_id: Optional[str]) -> None:
        request_id = body.get("requestId", request_id)
        self.status = status
        self.code: str = body.get("code", "UNREADABLE_RESPONSE")
        self.fields: list[Mapping[str, str]] = list(body.get("fields", []))
        self.developer_message: str = body.get("developerMessage", "")
        self.request_id = request_id
        text = self.developer_message or body.get("message") or "the response is not JSON of the API"
        suffix = f" (request {request_id})" if request_id else ""
        super().__init__(f"{status} {self.code}: {text}{suffix}")


class TillhookConnectionError(Exception):
    """No response arrived. The request may have been carried out unless it had an idempotency key."""
