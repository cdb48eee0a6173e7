# A listener for Tillhook's webhooks. Start: WEBHOOK_SECRET=whsec_… python3 listener.py
import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"]
PORT = int(os.environ.get("PORT", "3000"))
TOLERANCE_SECONDS = 300
seen = set()


def verify(body: bytes, headers) -> dict:
    """`body` is the request body as received, before JSON parsing."""
    webhook_id, timestamp = headers.get("webhook-id"), headers.get("webhook-timestamp", "0")
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        raise ValueError("the webhook is too old")
    digest = hmac.new(SECRET.encode(), f"{webhook_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    if not any(hmac.compare_digest(expected, given) for given in headers.get("webhook-signature", "").split(" ")):
        raise ValueError("the signature does not match: check WEBHOOK_SECRET")
    return json.loads(body)


class Listener(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            event = verify(body, self.headers)
            # Webhooks arrive at least once: skip an id that was handled before.
            if event["id"] not in seen:
                seen.add(event["id"])
                print("verified", event["eventType"], event["resourceId"], flush=True)
            self.send_response(200)
        except ValueError as error:
            print(error, flush=True)
            self.send_response(400)
        self.end_headers()

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", PORT), Listener)
print(f"listening on http://127.0.0.1:{PORT}", flush=True)
server.serve_forever()
