import os
from http.server import BaseHTTPRequestHandler, HTTPServer

from verify import verify

SECRET = os.environ["WEBHOOK_SECRET"]
PORT = int(os.environ.get("PORT", "3000"))
seen = set()


class Listener(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            event = verify(body, self.headers, SECRET)
            # Deliveries arrive at least once: skip an id that was handled before.
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


server = HTTPServer(("127.0.0.1", PORT), Listener)
print(f"listening on http://127.0.0.1:{PORT}", flush=True)
server.serve_forever()
