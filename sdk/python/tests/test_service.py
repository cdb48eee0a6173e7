"""The program of a developer: the installed package against a real service."""

import asyncio
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
import standardwebhooks
import svix.webhooks
from tillhook import AsyncTillhook, Tillhook, TillhookError
from tillhook.webhooks import answer

SECRET = "whsec_dGlsbGhvb2stc2RrLXRlc3Qtc2VjcmV0"
REPOSITORY = os.environ.get("SDK_TEST_REPOSITORY")
READY_WITHIN_SECONDS = 120
HEARD_WITHIN_SECONDS = 60

pytestmark = pytest.mark.skipif(REPOSITORY is None, reason="sdk/python/ci.sh names the repository whose service is started")


@pytest.fixture(scope="module")
def service():
    folder, key = tempfile.mkdtemp(prefix="tillhook-python-"), uuid.uuid4().hex
    settings = {"TILLHOOK_PORT": "0", "TILLHOOK_OPERATOR_KEY": key, "TILLHOOK_DATA_DIR": f"{folder}/data"}
    log = open(f"{folder}/log", "w+")
    program = subprocess.Popen(
        ["npm", "start"], cwd=REPOSITORY, env={**os.environ, **settings}, stdout=log, stderr=log, start_new_session=True
    )
    try:
        until = time.monotonic() + READY_WITHIN_SECONDS
        while not (ready := re.search(r"^Tillhook is ready at (\S+)$", open(log.name).read(), re.M)):
            assert program.poll() is None and time.monotonic() < until, open(log.name).read()
            time.sleep(0.2)
        yield ready.group(1), key
    finally:
        if program.poll() is None:
            os.killpg(program.pid, signal.SIGTERM)
            program.wait(60)
        log.close()
        # As root, PostgreSQL keeps its data where an unprivileged user can reach it.
        place = Path(folder, "data", "postgres.place")
        if place.exists():
            shutil.rmtree(place.read_text().strip(), ignore_errors=True)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def listener():
    events, headers = [], []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["content-length"]))
            headers.append((body, {name.lower(): value for name, value in self.headers.items()}))
            status, text = answer(body, self.headers, SECRET, events.append)
            self.send_response(status)
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/webhooks", events, headers
    server.shutdown()
    server.server_close()


def new_app(operator, name):
    organization = operator.create_organization(body={"name": name, "email": "dev@lakeside.example"})
    app = operator.create_app(
        body={"organizationId": organization["organizationId"], "name": name, "packageName": f"com.example.{name}"}
    )
    key = operator.add_app_key(app_id=app["appId"], body={})
    return {"app_id": app["appId"], "key_id": key["kid"], "private_key": key["privateKey"]}


def print_active(base_url, app_id, key_id, private_key):
    """As in the guide SDKs."""
    with Tillhook(base_url, app_id=app_id, key_id=key_id, private_key=private_key) as tillhook:
        for subscription in tillhook.each("list_subscriptions", status="ACTIVE"):
            print(subscription["businessId"], subscription["planId"])


def cancel(tillhook, subscription_id):
    """As in the README."""
    try:
        tillhook.cancel_subscription(subscription_id=subscription_id)
    except TillhookError as error:
        if error.code != "ALREADY_ENDED":
            raise


def test_subscribe_list_and_hear_a_verified_webhook(service, listener, capsys):
    (url, key), (address, events, headers) = service, listener
    with Tillhook(url, token=key) as operator:
        credentials = new_app(operator, "planner")
        app_id = credentials["app_id"]
        amounts = [{"country": "US", "currency": "USD", "value": 500}]
        plans = [{"name": name, "interval": "MONTH", "scope": "BUSINESS", "amounts": amounts} for name in ("Basic", "Pro")]
        release = operator.submit_release(app_id=app_id, body={"version": "1.0", "plans": plans})
        operator.approve_release(app_id=app_id, release_id=release["releaseId"])
        with Tillhook(url, **credentials) as app:
            found = list(app.each("list_plans", count=1))
            assert sorted(plan["name"] for plan in found) == ["Basic", "Pro"]
            types = ["APPLICATION_SUBSCRIPTION_START"]
            hook = {"applicationId": app_id, "deliveryUrl": address, "secret": SECRET, "eventTypes": types}
            app.register_hook(body=hook)
            shop = {"legalName": "Corner", "emailAddress": "c@corner.example", "country": "US", "type": "TEST_MERCHANT"}
            business_id = operator.create_business(body=shop)["businessId"]
            operator.add_payment_method(business_id=business_id, body={"gateway": "sandbox", "token": "tok_ok"})
            body = {"businessId": business_id, "planId": found[0]["planId"]}
            made = [operator.subscribe(app_id=app_id, body=body, idempotency_key="the same") for _ in range(2)]
            assert made[0] == made[1]
            until = time.monotonic() + HEARD_WITHIN_SECONDS
            while not events and time.monotonic() < until:
                time.sleep(0.1)
            assert [event["eventType"] for event in events] == types
            assert events[0]["resourceId"] == made[0]["subscriptionId"]
            # The libraries of Standard Webhooks and Svix verify the secret as registered. Each raises for a body that is not genuine.
            body, sent = headers[0]
            for library in (standardwebhooks, svix.webhooks):
                library.Webhook(SECRET).verify(body, sent)
                with pytest.raises(library.WebhookVerificationError):
                    library.Webhook(SECRET).verify(body + b" ", sent)
            assert [one["id"] for one in app.each("list_app_deliveries", limit=1)] == [events[0]["id"]]

        print_active(url, **credentials)
        assert capsys.readouterr().out == f"{business_id} {found[0]['planId']}\n"

        with Tillhook(url, **credentials) as app:
            for _ in range(2):
                cancel(app, made[0]["subscriptionId"])

        stranger = new_app(operator, "stranger")
        with Tillhook(url, **stranger) as other, pytest.raises(TillhookError) as caught:
            other.get_subscription(subscription_id=made[0]["subscriptionId"])
        assert (caught.value.status, caught.value.code) == (404, "SUBSCRIPTION_NOT_FOUND")
        assert caught.value.request_id


def test_the_asynchronous_client(service):
    url, key = service

    async def main():
        async with AsyncTillhook(url, token=key) as operator:
            made = await operator.create_organization(body={"name": "Async", "email": "a@b.example"})
            names = [one["name"] async for one in operator.each("list_organizations", limit=1)]
            assert made["name"] in names
            with pytest.raises(TillhookError) as caught:
                await operator.create_organization(body={"name": ""})
            assert caught.value.fields

    asyncio.run(main())
