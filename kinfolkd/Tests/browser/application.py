"""The website of an application, on an origin of its own, as the pages of the service see it."""

from __future__ import annotations

import http.server
import pathlib
import threading

EXAMPLE = pathlib.Path(__file__).parents[3] / "examples" / "browser"

TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8"}

# Opens the sign-in in a popup, and shows each message with the origin that sent it.
POPUP = """<!DOCTYPE html><html lang="en"><title>Notes</title><button id="sign-in">Sign in</button><ul id="messages"></ul>
<script>
addEventListener("message", (event) => {
    document.getElementById("messages").append(Object.assign(document.createElement("li"), {
        textContent: JSON.stringify({origin: event.origin, data: event.data}),
    }));
});
document.getElementById("sign-in").addEventListener("click", () => { window.open(location.hash.slice(1), "", "popup"); });
</script>"""

FRAME = """<!DOCTYPE html><html lang="en"><title>Frame</title><iframe id="frame" title="Frame"></iframe>
<script>document.getElementById("frame").src = location.hash.slice(1);</script>"""


class Application:
    """Serves some pages, and the example of a page that finds friends."""

    def __init__(self) -> None:
        self.pages = {
            "/done": '<!DOCTYPE html><html lang="en"><title>Notes</title><p id="back">Back in the application</p>',
            "/other": '<!DOCTYPE html><html lang="en"><title>Notes</title><p>Another page of the application',
            "/popup": POPUP,
            "/frame": FRAME,
        }
        application = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path = self.path.partition("?")[0]
                text = application.pages.get(path)
                file = EXAMPLE / path.lstrip("/")
                if text is None and file.parent == EXAMPLE and file.is_file():
                    text = file.read_text()
                body = (text or "").encode()
                self.send_response(404 if text is None else 200)
                self.send_header("content-type", TYPES.get(pathlib.Path(path).suffix, TYPES[".html"]))
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        # Another host name than that of the service, so that the two are different sites.
        self.origin = f"http://localhost:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
