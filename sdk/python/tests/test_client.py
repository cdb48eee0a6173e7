import asyncio
import json
import threading
import time

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from tillhook import AsyncTillhook, Tillhook, TillhookConnectionError, TillhookError, _flow

KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
PEM = KEY.private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
).decode()
APP = "urn:aid:019a3c7e-5c00-7000-8000-0000000000d1"
URL = "https://api.example.com"


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch):
    waits = []
    monkeypatch.setattr(time, "sleep", waits.append)

    async def sleep(seconds):
        waits.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    return waits


class Server:
    """Answers in turn, and remembers the requests."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.requests = []

    def __call__(self, request):
        self.requests.append(request)
        if request.url.path == "/token":
            return httpx.Response(200, json={"accessToken": f"t{len(self.tokens())}", "expiresIn": 86400})
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def tokens(self):
        return [one for one in self.requests if one.url.path == "/token"]

    def calls(self):
        return [one for one in self.requests if one.url.path != "/token"]


def ok(body):
    return httpx.Response(200, json=body)


def client_of(server, **options):
    given = {"app_id": APP, "key_id": "k1", "private_key": PEM, **options}
    return Tillhook(URL, transport=httpx.MockTransport(server), **given)


def test_a_token_is_signed_fetched_once_and_reused():
    server = Server(ok({"list": []}), ok({"list": []}))
    client = client_of(server)
    client.list_plans()
    client.list_plans(status="INACTIVE")
    assert len(server.tokens()) == 1
    form = dict(httpx.QueryParams(server.tokens()[0].content.decode()))
    assert form["grantType"] == "urn:ietf:params:oauth:grant-type:jwt-bearer"
    claims = jwt.decode(form["assertion"], KEY.public_key(), algorithms=["RS256"], audience=URL)
    assert (claims["iss"], claims["sub"]) == (APP, APP)
    assert jwt.get_unverified_header(form["assertion"])["kid"] == "k1"
    first, second = server.calls()
    assert first.url.path == f"/apps/{APP}/plans".replace(":", "%3A") or "plans" in first.url.path
    assert first.headers["authorization"] == "Bearer t1"
    assert second.url.params["status"] == "INACTIVE"


def test_a_rejected_token_is_renewed_once():
    server = Server(httpx.Response(401, json={"code": "INVALID_ACCESS_TOKEN"}), ok({"list": []}))
    client_of(server).list_plans()
    assert [one.headers["authorization"] for one in server.calls()] == ["Bearer t1", "Bearer t2"]
    server = Server(*[httpx.Response(401, json={"code": "INVALID_ACCESS_TOKEN"}) for _ in range(2)])
    with pytest.raises(TillhookError) as caught:
        client_of(server).list_plans()
    assert (caught.value.status, caught.value.code) == (401, "INVALID_ACCESS_TOKEN")


def test_a_wrong_clock_signs_by_the_clock_of_the_server(monkeypatch):
    asked = []

    def server(request):
        form = dict(httpx.QueryParams(request.content.decode()))
        if request.url.path != "/token":
            return ok({"list": []})
        asked.append(jwt.decode(form["assertion"], options={"verify_signature": False})["iat"])
        if len(asked) == 1:
            return httpx.Response(401, json={"code": "INVALID_ASSERTION"}, headers={"date": "Tue, 24 Nov 2026 08:00:00 GMT"})
        return httpx.Response(200, json={"accessToken": "t", "expiresIn": 60})

    client_of(server).list_plans()
    assert abs(asked[1] - 1_795_507_200) < 5


def test_the_key_of_a_retried_post_stays_the_same(no_waiting):
    busy = httpx.Response(503, json={"code": "SERVICE_UNAVAILABLE"}, headers={"retry-after": "7"})
    server = Server(busy, httpx.ConnectError("refused"), ok({"subscriptionId": "s"}))
    made = client_of(server).subscribe(body={"businessId": "b", "planId": "p"})
    assert made["subscriptionId"] == "s"
    keys = {one.headers["idempotency-key"] for one in server.calls()}
    assert len(keys) == 1 and len(server.calls()) == 3
    assert no_waiting[0] == 7
    server = Server(ok({}))
    client_of(server).subscribe(body={"businessId": "b", "planId": "p"}, idempotency_key="mine")
    assert server.calls()[0].headers["idempotency-key"] == "mine"


def test_retries_end_and_a_patch_is_not_repeated():
    busy = [httpx.Response(503, json={"code": "SERVICE_UNAVAILABLE"}) for _ in range(9)]
    server = Server(*busy)
    with pytest.raises(TillhookError):
        client_of(server, retries=2).list_plans()
    assert len(server.calls()) == 3
    server = Server(*busy)
    with pytest.raises(TillhookError):
        client_of(server).change_subscription(subscription_id="s", body={"planId": "p"})
    assert len(server.calls()) == 1
    server = Server(*[httpx.ConnectError("refused") for _ in range(9)])
    with pytest.raises(TillhookConnectionError, match="no response from https://api.example.com to GET"):
        client_of(server).list_plans()


def test_an_error_has_code_fields_and_request_id():
    body = {"code": "INVALID_PARAMETER", "developerMessage": "planId is wrong", "fields": [{"path": "planId", "problem": "x"}]}
    server = Server(httpx.Response(400, json=body, headers={"service-request-id": "r1"}))
    with pytest.raises(TillhookError, match="400 INVALID_PARAMETER: planId is wrong .request r1") as caught:
        client_of(server).list_plans()
    assert (caught.value.request_id, caught.value.fields[0]["path"]) == ("r1", "planId")
    server = Server(httpx.Response(502, text="<html>"), *[httpx.Response(502, text="<html>") for _ in range(3)])
    with pytest.raises(TillhookError, match="not JSON"):
        client_of(server).list_plans()


@pytest.mark.parametrize(
    "pages",
    [
        [{"list": [1, 2], "start": 0, "total": 3}, {"list": [3], "start": 2, "total": 3}],
        [{"list": [1, 2], "next": "c2"}, {"list": [3]}],
        [{"hooks": [1, 2], "links": [{"rel": "next", "href": f"{URL}/x?after=c2"}]}, {"hooks": [3], "links": []}],
    ],
)
def test_each_walks_all_pages_also_when_the_token_ends_between_them(pages):
    server = Server(ok(pages[0]), httpx.Response(401, json={}), ok(pages[1]))
    assert list(client_of(server).each("list_plans", count=2)) == [1, 2, 3]
    last = server.calls()[-1].url.params
    assert last.get("after") == "c2" or last.get("start") == "2"


def test_wrong_use_is_named():
    client = client_of(Server())
    with pytest.raises(TypeError, match="subscriptionId is missing"):
        client.get_subscription(subscription_id="")
    with pytest.raises(TypeError, match="no operation list_planets"):
        list(client.each("list_planets"))
    with pytest.raises(TypeError, match="no parameter colour"):
        list(client.each("list_plans", colour="red"))
    with pytest.raises(TypeError, match="either private_key"):
        Tillhook(URL)
    with pytest.raises(TypeError, match="needs app_id"):
        Tillhook(URL, private_key=PEM)


def test_threads_share_one_token():
    server = Server(*[ok({"list": []}) for _ in range(8)])
    client = client_of(server)
    threads = [threading.Thread(target=client.list_plans) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(server.tokens()) == 1 and len(server.calls()) == 8


def test_the_asynchronous_client_does_the_same():
    server = Server(
        httpx.Response(429, json={}, headers={"retry-after": "1"}),
        ok({"list": [1], "start": 0, "total": 2}),
        httpx.Response(401, json={}),
        ok({"list": [2], "start": 1, "total": 2}),
        httpx.Response(404, json={"code": "PLAN_NOT_FOUND"}),
    )

    async def main():
        transport = httpx.MockTransport(server)
        async with AsyncTillhook(URL, app_id=APP, private_key=PEM, transport=transport) as client:
            assert [one async for one in client.each("list_plans", count=1)] == [1, 2]
            with pytest.raises(TillhookError, match="PLAN_NOT_FOUND"):
                await client.list_plans()

    asyncio.run(main())
    assert len(server.tokens()) == 2


def test_a_body_is_compact_utf8_json():
    assert json.loads(_flow._encode({"name": "Grüße"})) == {"name": "Grüße"}
