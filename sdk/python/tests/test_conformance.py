"""The suite that all SDKs pass: contract/sdk-cases.json."""

import base64
import hashlib
import hmac
import json
import os
import re
import subprocess
import time
from pathlib import Path

import httpx
import pytest
from tillhook import Tillhook, TillhookConnectionError, TillhookError, WebhookError, verify_webhook

REPOSITORY = Path(os.environ.get("SDK_TEST_REPOSITORY", Path(__file__).parents[3]))
CASES = json.loads((REPOSITORY / "contract/sdk-cases.json").read_text())
APP = "urn:aid:019a3c7e-5c00-7000-8000-000000000002"


@pytest.fixture(scope="module")
def server():
    """The address of sdk/conformance.ts, which ends with its standard input."""
    command = [REPOSITORY / "node_modules/.bin/node", REPOSITORY / "sdk/conformance.ts"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        yield program.stdout.readline().strip()
        program.stdin.close()


@pytest.mark.parametrize("index", range(len(CASES["calls"])), ids=[one["name"] for one in CASES["calls"]])
def test_call(server, index):
    one = CASES["calls"][index]
    private_key = httpx.get(f"{server}/private-key").text
    credentials = {"app_id": APP, "key_id": "k1", "private_key": private_key} if one["as"] == "app" else {"token": "t0"}
    settings = {"retries": one["retries"]} if "retries" in one else {}
    with Tillhook(f"{server}/cases/{index}", **credentials, **settings) as client:
        outcome = outcome_of(client, **one["call"])
    assert httpx.post(f"{server}/outcomes/{index}", json=outcome).json() == []


def outcome_of(client, operation, params={}, body=None, idempotencyKey=None, each=False):
    given = {snake(name): value for name, value in params.items()}
    if body is not None:
        given["body"] = body
    if idempotencyKey is not None:
        given["idempotency_key"] = idempotencyKey
    items = []
    try:
        if not each:
            return {"result": getattr(client, snake(operation))(**given)}
        for item in client.each(snake(operation), **given):
            items.append(item)
        return {"items": items}
    except TillhookConnectionError:
        outcome = {"noResponse": True}
    except TillhookError as error:
        found = {"status": error.status, "code": error.code, "requestId": error.request_id, "fields": error.fields}
        outcome = {"error": found}
    return {**outcome, "items": items} if each else outcome


@pytest.mark.parametrize("one", CASES["webhooks"], ids=[one["name"] for one in CASES["webhooks"]])
def test_webhook(one):
    options = {"tolerance_seconds": one["toleranceSeconds"], "scheme": one.get("scheme", "standard")}
    expect = one["expect"]
    if "eventType" in expect:
        assert verify_webhook(one["body"], headers_of(one), one["secrets"], **options)["eventType"] == expect["eventType"]
        return
    with pytest.raises(WebhookError, match=re.escape(expect["message"]) if "message" in expect else None) as caught:
        verify_webhook(one["body"], headers_of(one), one["secrets"], **options)
    assert caught.value.code == expect["code"]


def headers_of(one):
    if "signedSecondsFromNow" not in one:
        return one["headers"]
    timestamp = str(int(time.time()) + one["signedSecondsFromNow"])
    signed = f"{one['headers']['webhook-id']}.{timestamp}.{one['body']}".encode()
    digest = hmac.new(one["secrets"][0].encode(), signed, hashlib.sha256).digest()
    signature = "v1," + base64.b64encode(digest).decode()
    return {**one["headers"], "webhook-timestamp": timestamp, "webhook-signature": signature}


def snake(name):
    return re.sub("[A-Z]", lambda letter: "_" + letter.group().lower(), name)
