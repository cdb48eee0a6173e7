import base64
import hashlib
import hmac
import json
import time

TOLERANCE_SECONDS = 300


def verify(body: bytes, headers, secret: str) -> dict:
    """Verifies a webhook. `body` is the raw request body, before JSON parsing. Raises ValueError if it is not genuine."""
    webhook_id = headers["webhook-id"]
    timestamp = headers["webhook-timestamp"]
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        raise ValueError("the webhook is too old, or this clock is wrong")

    signed = f"{webhook_id}.{timestamp}.".encode() + body
    digest = hmac.new(secret.encode(), signed, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    if not any(hmac.compare_digest(expected, given) for given in headers["webhook-signature"].split(" ")):
        raise ValueError("the signature does not match: check the secret, and verify the raw body")
    return json.loads(body)
