"""Verifies webhooks. Needs nothing outside the standard library."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import logging
import time
from typing import Any, Callable, Iterable, Literal, Mapping, Sequence, Tuple, Union, cast

from ._contract import Notification

WebhookEvent = Notification
Code = Literal["BODY_PARSED", "HEADER_MISSING", "TOO_OLD", "BAD_SIGNATURE", "BAD_BODY"]

#: How far the timestamp of a webhook may be from this clock, in seconds.
TOLERANCE_SECONDS = 300

BAD_SIGNATURE = (
    "the signature does not match. Check the secret, and pass the body as received: a body that was parsed and serialised again has "
    "other bytes"
)


class WebhookError(Exception):
    """The webhook is not genuine, or the listener passed something else than the received bytes."""

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code: Code = code


def verify_webhook(
    body: Union[bytes, str],
    headers: Mapping[str, Any],
    secret: Union[str, Sequence[str]],
    *,
    tolerance_seconds: int = TOLERANCE_SECONDS,
    scheme: Literal["standard", "original"] = "standard",
) -> WebhookEvent:
    """Returns the event of a genuine webhook; raises ``WebhookError`` otherwise.

    ``body`` is the request body as received, before JSON parsing. ``secret`` is the endpoint's secret as registered; while you change it,
    the new and the old one. ``scheme="standard"`` checks ``webhook-signature`` with its timestamp. ``"original"`` checks
    ``Service-Webhook-Signature``, an HMAC-SHA1 without a timestamp, for listeners that cannot change: a captured webhook can be replayed.
    """
    if not isinstance(body, (bytes, bytearray, str)):
        raise WebhookError("BODY_PARSED", "the body was already parsed. Pass the raw body, for instance request.get_data() in Flask")
    raw = body.encode() if isinstance(body, str) else bytes(body)
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not secrets or "" in secrets:
        raise TypeError("verify_webhook: the secret is empty")
    given: Sequence[str]
    expected: Sequence[bytes]
    if scheme == "original":
        given = [_header(headers, "service-webhook-signature")]
        expected = [hmac.new(one.encode(), raw, hashlib.sha1).digest() for one in secrets]
    else:
        given, expected = _standard(raw, headers, secrets, tolerance_seconds)
    if not _matches(given, expected):
        raise WebhookError("BAD_SIGNATURE", BAD_SIGNATURE)
    try:
        event = json.loads(raw)
    except ValueError:
        event = None
    if not isinstance(event, dict):
        raise WebhookError("BAD_BODY", "the body is not a JSON object")
    return cast(WebhookEvent, event)


def _standard(
    body: bytes, headers: Mapping[str, Any], secrets: Sequence[str], tolerance: int
) -> Tuple[Sequence[str], Sequence[bytes]]:
    message_id = _header(headers, "webhook-id")
    timestamp = _header(headers, "webhook-timestamp")
    signatures = _header(headers, "webhook-signature")
    is_number = timestamp.isascii() and timestamp.isdigit()
    age = round(time.time() - int(timestamp)) if is_number else None
    if age is None or abs(age) > tolerance:
        raise WebhookError(
            "TOO_OLD",
            f"webhook-timestamp is {age} seconds before this clock; {tolerance} are allowed. Check this machine's clock",
        )
    signed = f"{message_id}.{timestamp}.".encode() + body
    given = [entry[3:] for entry in signatures.split(" ") if entry.startswith("v1,")]
    return given, [hmac.new(key, signed, hashlib.sha256).digest() for one in secrets for key in _keys(one)]


def _keys(secret: str) -> Iterable[bytes]:
    """Tillhook signs with the bytes of the secret, and with the decoded bytes of a ``whsec_`` secret."""
    yield secret.encode()
    decoded = _from_base64(secret[len("whsec_") :]) if secret.startswith("whsec_") else b""
    if decoded:
        yield decoded


def _matches(given: Iterable[str], expected: Sequence[bytes]) -> bool:
    is_match = False
    for text in given:
        signature = _from_base64(text)
        for one in expected:
            is_match |= hmac.compare_digest(signature, one)
    return is_match


def _from_base64(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""


def _header(headers: Mapping[str, Any], name: str) -> str:
    value = headers.get(name)
    if value is None:
        value = next((held for key, held in headers.items() if key.lower() == name), None)
    if isinstance(value, (list, tuple)):
        value = value[0] if value else None
    if isinstance(value, str) and value:
        return value
    raise WebhookError("HEADER_MISSING", f"the request has no {name} header")


def answer(
    body: Any, headers: Mapping[str, Any], secret: Union[str, Sequence[str]], on_event: Callable[[WebhookEvent], Any]
) -> Tuple[int, str]:
    """Verifies a webhook and calls ``on_event``. Returns the status and the text of the response: 200; 400 for a webhook that is not
    genuine; 500 if ``on_event`` raises, after which Tillhook repeats the webhook."""
    try:
        event = verify_webhook(body, headers, secret)
    except WebhookError as error:
        return (500 if error.code == "BODY_PARSED" else 400), str(error)
    try:
        on_event(event)
    except Exception:  # noqa: BLE001 - every failure of the listener means "send again".
        logging.getLogger("tillhook").exception("the webhook listener failed")
        return 500, "the listener failed"
    return 200, ""
