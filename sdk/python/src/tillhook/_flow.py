"""The logic of a call without network or sleep, which the synchronous and the asynchronous client share.

A flow is a generator. It yields what the client must do and receives the outcome.
"""

from __future__ import annotations

import json as _json
import random
import re
import time
import uuid
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any, Generator, Mapping, Optional, Union
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import httpx
import jwt

from ._contract import ROUTES
from .errors import TillhookConnectionError, TillhookError

RETRIED = (429, 502, 503, 504)
LONGEST_WAIT = 60.0
ASSERTION_SECONDS = 300
#: A token is renewed this many seconds before its end.
EARLY = 60
GRANT_TYPE = "urn:ietf:params:oauth:grant-type:jwt-bearer"


@dataclass(frozen=True)
class Send:
    """Send the request. The outcome is an ``httpx.Response`` or an ``httpx.TransportError``."""

    method: str
    path: str
    headers: Mapping[str, str]
    content: Optional[bytes] = None


@dataclass(frozen=True)
class Sleep:
    """Wait. There is no outcome."""

    seconds: float


@dataclass(frozen=True)
class GetToken:
    """Return a valid access token. ``rejected`` is a token that the server no longer accepts."""

    rejected: Optional[str] = None


Action = Union[Send, Sleep, GetToken]
Flow = Generator[Action, Any, Any]


@dataclass
class Call:
    method: str
    path: str
    json: Any
    is_keyed: bool
    idempotency_key: Optional[str] = None


@dataclass
class Tokens:
    """The access token that a client holds."""

    value: Optional[str] = None
    until: float = 0.0
    skew: float = 0.0

    def is_valid(self, rejected: Optional[str]) -> bool:
        return self.value is not None and self.value != rejected and self.until > time.time()


@dataclass
class Config:
    base_url: str
    retries: int
    app_id: Optional[str] = None
    key_id: Optional[str] = None
    private_key: Optional[str] = None
    token: Optional[str] = None
    audience: Optional[str] = None
    tokens: Tokens = field(default_factory=Tokens)


def prepare(config: Config, name: str, params: Mapping[str, Any], body: Any, idempotency_key: Optional[str]) -> Call:
    """The request of an operation. Raises ``TypeError`` for a path parameter that is missing."""
    method, template, *keyed = ROUTES[name].split(" ")
    rest = {key: value for key, value in params.items() if value is not None}

    def fill(match: "re.Match[str]") -> str:
        value = rest.pop(match.group(1), config.app_id if match.group(1) == "appId" else None)
        if not isinstance(value, str) or value == "":
            raise TypeError(f"{name}: {match.group(1)} is missing")
        return quote(value, safe="")

    path = re.sub(r"\{(\w+)\}", fill, template)
    query = urlencode({key: _text(value) for key, value in rest.items()})
    # A POST without fields still has a JSON body.
    json = body if body is not None else ({} if method == "POST" else None)
    return Call(method, f"{path}?{query}" if query else path, json, bool(keyed), idempotency_key)


def call(config: Config, request: Call) -> Flow:
    """Carries a request out: token, retries, one renewal of the token after a 401."""
    token = yield GetToken()
    response = yield from _attempts(config, request, token)
    if response.status_code == 401 and config.private_key is not None:
        token = yield GetToken(rejected=token)
        response = yield from _attempts(config, request, token)
    return read(response)


def exchange(config: Config) -> Flow:
    """A new access token, kept in ``config.tokens``. A client whose clock is wrong signs by the server's clock."""
    response = yield from _exchange_once(config)
    if response.status_code == 401 and "date" in response.headers:
        skew = parsedate_to_datetime(response.headers["date"]).timestamp() - time.time()
        if abs(skew - config.tokens.skew) > 30:
            config.tokens.skew = skew
            response = yield from _exchange_once(config)
    body = read(response)
    config.tokens.value = body["accessToken"]
    config.tokens.until = time.time() + body["expiresIn"] - EARLY
    return config.tokens.value


def _exchange_once(config: Config) -> Flow:
    content = urlencode({"grantType": GRANT_TYPE, "assertion": sign_assertion(config)}).encode()
    form = {"content-type": "application/x-www-form-urlencoded"}
    return (yield from _repeat(config, Send("POST", "/token", form, content), is_repeatable=True))


def sign_assertion(config: Config) -> str:
    """A self-issued JWT, RS256 (interface, Tokens; decisions 2)."""
    issued_at = int(time.time() + config.tokens.skew)
    claims = {
        "iss": config.app_id,
        "sub": config.app_id,
        "aud": config.audience or config.base_url,
        "jti": str(uuid.uuid4()),
        "iat": issued_at,
        "exp": issued_at + ASSERTION_SECONDS,
    }
    headers = {"kid": config.key_id} if config.key_id else None
    return jwt.encode(claims, config.private_key or "", algorithm="RS256", headers=headers)


def _attempts(config: Config, request: Call, token: str) -> Flow:
    headers = {"api-version": "1.2", "authorization": f"Bearer {token}"}
    content = None
    if request.json is not None:
        headers["content-type"] = "application/json"
        content = _encode(request.json)
    if request.is_keyed:
        request.idempotency_key = request.idempotency_key or str(uuid.uuid4())
        headers["idempotency-key"] = request.idempotency_key
    is_repeatable = request.is_keyed or request.method in ("GET", "DELETE")
    send = Send(request.method, request.path, headers, content)
    return (yield from _repeat(config, send, is_repeatable))


def _repeat(config: Config, send: Send, is_repeatable: bool) -> Flow:
    for attempt in range(config.retries + 1):
        is_last = attempt == config.retries
        outcome = yield send
        if isinstance(outcome, httpx.TransportError):
            if is_last or not is_repeatable:
                message = f"no response from {config.base_url} to {send.method} {send.path}"
                raise TillhookConnectionError(message) from outcome
            yield Sleep(_backoff(attempt))
            continue
        status = outcome.status_code
        if is_last or not (status == 429 or (is_repeatable and status in RETRIED)):
            return outcome
        yield Sleep(_retry_after(outcome) if "retry-after" in outcome.headers else _backoff(attempt))


def read(response: httpx.Response) -> Any:
    """The JSON of a successful response. Raises ``TillhookError`` for every other response."""
    try:
        body = response.json() if response.content else None
    except ValueError:
        body = None
    if response.is_success and (body is not None or not response.content):
        return body
    request_id = response.headers.get("service-request-id")
    raise TillhookError(response.status_code, body if isinstance(body, dict) else {}, request_id)


def items_of(page: Mapping[str, Any]) -> Optional[list[Any]]:
    """The list of a page: ``list``, or the only one."""
    lists = {name: value for name, value in page.items() if name != "links" and isinstance(value, list)}
    return lists.get("list", next(iter(lists.values()), None))


def next_params(page: Mapping[str, Any], params: Mapping[str, Any], count: int) -> Optional[dict[str, Any]]:
    """The parameters of the next page: by link, by cursor, or by offset. ``None`` after the last page."""
    cursor = page.get("next")
    href = next((link["href"] for link in page.get("links", []) if link.get("rel") == "next"), None)
    if href is None and cursor and "?" in cursor:
        href = cursor
    if href:
        return {**params, **dict(parse_qsl(urlsplit(href).query))}
    if cursor:
        return {**{key: value for key, value in params.items() if key != "start"}, "after": cursor}
    start = page.get("start", 0)
    return {**params, "start": start + count} if count > 0 and start + count < page.get("total", 0) else None


def _encode(body: Any) -> bytes:
    return _json.dumps(body, separators=(",", ":")).encode()


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _retry_after(response: httpx.Response) -> float:
    try:
        return min(max(float(response.headers["retry-after"]), 0.0), LONGEST_WAIT)
    except ValueError:
        return 1.0


def _backoff(attempt: int) -> float:
    return 0.5 * float(2**attempt) * (0.5 + random.random() / 2)
