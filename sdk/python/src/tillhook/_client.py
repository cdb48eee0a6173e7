"""The synchronous and the asynchronous client."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any, AsyncIterator, Iterator, Mapping, Optional

import httpx

from . import _flow
from ._contract import PARAMETERS, AsyncOperations, Operations


def _config(
    base_url: str,
    app_id: Optional[str],
    key_id: Optional[str],
    private_key: Optional[str],
    token: Optional[str],
    audience: Optional[str],
    retries: int,
) -> _flow.Config:
    if (private_key is None) == (token is None):
        raise TypeError("give either private_key (with app_id) or token")
    if private_key is not None and app_id is None:
        raise TypeError("private_key needs app_id, the URN of the app")
    return _flow.Config(base_url.rstrip("/"), retries, app_id, key_id, private_key, token, audience)


def _wire(name: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters as the contract names them."""
    names = PARAMETERS[name]
    for given in params:
        if given not in names:
            raise TypeError(f"{name} has no parameter {given}: it has {', '.join(names)}")
    return {names[given]: value for given, value in params.items()}


class Tillhook(Operations):
    """The API of one installation, with one method for each JSON operation of the contract.

    ``base_url`` is the address of the API. An app gives ``app_id``, ``private_key`` (PEM) and ``key_id``: the client obtains, keeps and
    renews access tokens. ``token`` is a fixed bearer token instead. ``retries`` counts attempts after the first one; ``timeout`` is the
    limit of one attempt in seconds. The client may be shared by threads. Use it as a context manager, or call ``close``.
    """

    def __init__(
        self,
        base_url: str,
        *,
        app_id: Optional[str] = None,
        key_id: Optional[str] = None,
        private_key: Optional[str] = None,
        token: Optional[str] = None,
        audience: Optional[str] = None,
        retries: int = 3,
        timeout: float = 30.0,
        transport: Optional[httpx.BaseTransport] = None,
    ) -> None:
        self._config = _config(base_url, app_id, key_id, private_key, token, audience, retries)
        self._http = httpx.Client(base_url=self._config.base_url, timeout=timeout, transport=transport)
        self._lock = threading.Lock()

    def __enter__(self) -> "Tillhook":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def each(self, name: str, **params: Any) -> Iterator[Any]:
        """Every item of a list, over all its pages: ``for plan in client.each("list_plans")``."""
        operation = _operation(name)
        at: Optional[dict[str, Any]] = _wire(operation, params)
        while at is not None:
            page = self._invoke(operation, at, None, None)
            items = _flow.items_of(page)
            if items is None:
                raise TypeError(f"{name} returns no list")
            yield from items
            at = _flow.next_params(page, at, len(items))

    def _invoke(self, name: str, params: Mapping[str, Any], body: Any, idempotency_key: Optional[str]) -> Any:
        request = _flow.prepare(self._config, name, params, body, idempotency_key)
        return self._run(_flow.call(self._config, request))

    def _run(self, flow: _flow.Flow) -> Any:
        outcome: Any = None
        while True:
            try:
                action = flow.send(outcome)
            except StopIteration as done:
                return done.value
            if isinstance(action, _flow.Sleep):
                time.sleep(action.seconds)
                outcome = None
            elif isinstance(action, _flow.GetToken):
                outcome = self._token(action.rejected)
            else:
                try:
                    outcome = self._http.request(
                        action.method, action.path, headers=dict(action.headers), content=action.content
                    )
                except httpx.TransportError as error:
                    outcome = error

    def _token(self, rejected: Optional[str]) -> str:
        config = self._config
        if config.token is not None:
            return config.token
        # Concurrent callers share one request for a token.
        with self._lock:
            if not config.tokens.is_valid(rejected):
                self._run(_flow.exchange(config))
            return str(config.tokens.value)


class AsyncTillhook(AsyncOperations):
    """``Tillhook`` for asyncio: the same arguments, and each method is a coroutine."""

    def __init__(
        self,
        base_url: str,
        *,
        app_id: Optional[str] = None,
        key_id: Optional[str] = None,
        private_key: Optional[str] = None,
        token: Optional[str] = None,
        audience: Optional[str] = None,
        retries: int = 3,
        timeout: float = 30.0,
        transport: Optional[httpx.AsyncBaseTransport] = None,
    ) -> None:
        self._config = _config(base_url, app_id, key_id, private_key, token, audience, retries)
        self._http = httpx.AsyncClient(base_url=self._config.base_url, timeout=timeout, transport=transport)
        self._lock = asyncio.Lock()

    async def __aenter__(self) -> "AsyncTillhook":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    async def each(self, name: str, **params: Any) -> AsyncIterator[Any]:
        """Every item of a list, over all its pages: ``async for plan in client.each("list_plans")``."""
        operation = _operation(name)
        at: Optional[dict[str, Any]] = _wire(operation, params)
        while at is not None:
            page = await self._invoke(operation, at, None, None)
            items = _flow.items_of(page)
            if items is None:
                raise TypeError(f"{name} returns no list")
            for item in items:
                yield item
            at = _flow.next_params(page, at, len(items))

    async def _invoke(self, name: str, params: Mapping[str, Any], body: Any, idempotency_key: Optional[str]) -> Any:
        request = _flow.prepare(self._config, name, params, body, idempotency_key)
        return await self._run(_flow.call(self._config, request))

    async def _run(self, flow: _flow.Flow) -> Any:
        outcome: Any = None
        while True:
            try:
                action = flow.send(outcome)
            except StopIteration as done:
                return done.value
            if isinstance(action, _flow.Sleep):
                await asyncio.sleep(action.seconds)
                outcome = None
            elif isinstance(action, _flow.GetToken):
                outcome = await self._token(action.rejected)
            else:
                try:
                    outcome = await self._http.request(
                        action.method, action.path, headers=dict(action.headers), content=action.content
                    )
                except httpx.TransportError as error:
                    outcome = error

    async def _token(self, rejected: Optional[str]) -> str:
        config = self._config
        if config.token is not None:
            return config.token
        # Concurrent callers share one request for a token.
        async with self._lock:
            if not config.tokens.is_valid(rejected):
                await self._run(_flow.exchange(config))
            return str(config.tokens.value)


def _operation(name: str) -> str:
    """``list_plans`` → ``listPlans``."""
    first, *rest = name.split("_")
    operation = first + "".join(word[:1].upper() + word[1:] for word in rest)
    if operation not in PARAMETERS:
        raise TypeError(f"there is no operation {name}")
    return operation
