import base64
import hashlib
import hmac
import json
import os
import time
from pathlib import Path

import pytest
from tillhook import WebhookError, verify_webhook
from tillhook.webhooks import answer

SECRET = "whsec_dGlsbGhvb2stc2RrLXRlc3Qtc2VjcmV0"
OLD = "whsec_b2xkLXNlY3JldA=="
BODY = json.dumps({"id": "n1", "eventType": "TEST", "name": "Käse"}).encode()


def sign(body=BODY, key=SECRET.encode(), at=None, message_id="n1"):
    timestamp = str(int(time.time() if at is None else at))
    signed = f"{message_id}.{timestamp}.".encode() + body
    signature = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return {"Webhook-Id": message_id, "webhook-timestamp": timestamp, "webhook-signature": signature}


def code_of(*args, **kwargs):
    with pytest.raises(WebhookError) as caught:
        verify_webhook(*args, **kwargs)
    return caught.value.code


@pytest.mark.parametrize("key", [SECRET.encode(), base64.b64decode(SECRET[6:])])
def test_both_keys_of_a_whsec_secret_verify(key):
    assert verify_webhook(BODY, sign(key=key), SECRET)["eventType"] == "TEST"
    assert verify_webhook(BODY.decode(), sign(key=key), SECRET)["eventType"] == "TEST"


def test_the_old_and_the_new_secret_verify_during_a_rotation():
    assert verify_webhook(BODY, sign(key=OLD.encode()), [SECRET, OLD])
    assert code_of(BODY, sign(key=OLD.encode()), SECRET) == "BAD_SIGNATURE"


def test_the_header_may_hold_several_signatures():
    headers = sign()
    headers["webhook-signature"] = "v1,AAAA v2,xx " + headers["webhook-signature"]
    assert verify_webhook(BODY, headers, SECRET)


def test_a_body_that_was_serialised_again_is_rejected_with_advice():
    with pytest.raises(WebhookError, match="parsed and serialised again") as caught:
        verify_webhook(json.dumps(json.loads(BODY), indent=1), sign(), SECRET)
    assert caught.value.code == "BAD_SIGNATURE"
    assert code_of(json.loads(BODY), sign(), SECRET) == "BODY_PARSED"


@pytest.mark.parametrize("seconds", [-302, 302, 600, -600])
def test_a_webhook_outside_the_tolerance_is_rejected(seconds):
    headers = sign(at=time.time() + seconds)
    assert code_of(BODY, headers, SECRET) == "TOO_OLD"
    assert verify_webhook(BODY, headers, SECRET, tolerance_seconds=700)


@pytest.mark.parametrize("value", ["", "soon", "1e9", "-5", "٣"])
def test_a_timestamp_that_is_no_number_is_rejected(value):
    assert code_of(BODY, {**sign(), "webhook-timestamp": value}, SECRET) in ("TOO_OLD", "HEADER_MISSING")


@pytest.mark.parametrize("name", ["Webhook-Id", "webhook-timestamp", "webhook-signature"])
def test_a_missing_header_is_named(name):
    headers = {key: value for key, value in sign().items() if key != name}
    with pytest.raises(WebhookError, match=name.lower()) as caught:
        verify_webhook(BODY, headers, SECRET)
    assert caught.value.code == "HEADER_MISSING"


def test_the_original_scheme():
    signature = base64.b64encode(hmac.new(b"s", BODY, hashlib.sha1).digest()).decode()
    assert verify_webhook(BODY, {"Service-Webhook-Signature": signature}, "s", scheme="original")
    assert code_of(BODY + b" ", {"service-webhook-signature": signature}, "s", scheme="original") == "BAD_SIGNATURE"


def test_an_empty_secret_is_a_mistake_of_the_program():
    for secret in ("", [], [SECRET, ""]):
        with pytest.raises(TypeError):
            verify_webhook(BODY, sign(), secret)


def test_the_answer_of_a_listener():
    events = []
    assert answer(BODY, sign(), SECRET, events.append) == (200, "")
    assert events[0]["id"] == "n1"
    assert answer(BODY, sign(), "wrong", events.append)[0] == 400
    assert answer({}, sign(), SECRET, events.append)[0] == 500
    assert answer(BODY, sign(), SECRET, fail) == (500, "the listener failed")
    assert len(events) == 1


def test_the_vectors_of_the_contract():
    folder = os.environ.get("SDK_TEST_CONTRACT", Path(__file__).parents[3] / "contract")
    path = Path(folder) / "signatures.json"
    for vector in json.loads(path.read_text())["vectors"]:
        if not vector.get("secret"):
            continue
        for scheme in ("standard", "original"):
            try:
                verify_webhook(vector["body"], vector["headers"], vector["secret"], scheme=scheme, tolerance_seconds=10**10)
            except WebhookError as error:
                # Some vectors are no JSON; their signatures are right.
                assert error.code == "BAD_BODY", (vector["source"], scheme)


def fail(event):
    raise RuntimeError("no database")


def test_flask():
    flask = pytest.importorskip("flask")
    from tillhook.flask import webhook_view

    app, events = flask.Flask(__name__), []
    secret, store = SECRET, events.append
    app.post("/webhooks")(webhook_view(secret, store))
    app.post("/failing", endpoint="failing")(webhook_view(secret, fail))
    client = app.test_client()
    assert client.post("/webhooks", data=BODY, headers=sign()).status_code == 200
    assert client.post("/webhooks", data=BODY + b" ", headers=sign()).status_code == 400
    assert client.post("/failing", data=BODY, headers=sign()).status_code == 500
    assert [event["id"] for event in events] == ["n1"]


def test_fastapi():
    pytest.importorskip("fastapi")
    from fastapi import FastAPI
    from fastapi.testclient import TestClient
    from tillhook.fastapi import webhook_route

    app, events = FastAPI(), []
    secret, store = SECRET, events.append

    async def slow(event):
        events.append(event)

    app.add_api_route("/webhooks", webhook_route(secret, store), methods=["POST"])
    app.add_api_route("/async", webhook_route(SECRET, slow), methods=["POST"])
    app.add_api_route("/failing", webhook_route(SECRET, fail), methods=["POST"])
    client = TestClient(app, raise_server_exceptions=False)
    for path in ("/webhooks", "/async"):
        assert client.post(path, content=BODY, headers=sign()).status_code == 200
        assert client.post(path, content=BODY + b" ", headers=sign()).status_code == 400
    assert client.post("/failing", content=BODY, headers=sign()).status_code == 500
    assert len(events) == 2


def test_django():
    django = pytest.importorskip("django")
    from django.conf import settings

    settings.configure(
        DEBUG=True,
        ROOT_URLCONF=__name__,
        ALLOWED_HOSTS=["*"],
        SECRET_KEY="test",
        MIDDLEWARE=["django.middleware.csrf.CsrfViewMiddleware"],
    )
    django.setup()
    from django.test import Client
    from django.urls import path
    from tillhook.django import webhook_view

    global urlpatterns
    events = []
    secret, store = SECRET, events.append
    urlpatterns = [path("webhooks", webhook_view(secret, store))]
    urlpatterns.append(path("failing", webhook_view(secret, fail)))
    client = Client(enforce_csrf_checks=True)

    def post(url, body):
        return client.post(url, body, content_type="application/json", headers=sign()).status_code

    assert post("/webhooks", BODY) == 200
    assert post("/webhooks", BODY + b" ") == 400
    assert post("/failing", BODY) == 500
    assert client.get("/webhooks").status_code == 405
    assert len(events) == 1


urlpatterns: list = []
