"""WebDriver BiDi over a WebSocket: commands with answers, and the events in between."""

import json
import queue
import threading

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from .page import NavigatedAway


class BiDiError(Exception):
    def __init__(self, method, answer):
        super().__init__(f"{method}: {answer.get('error')}: {answer.get('message')}")
        self.code = answer.get("error")


class Connection:
    def __init__(self, url, on_event):
        self._connecting = connect(url, max_size=None, open_timeout=30, close_timeout=2)
        self._socket = self._connecting.__enter__()
        self._on_event = on_event
        self._answers = {}
        self._lock = threading.Lock()
        self._last = 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        try:
            for text in self._socket:
                message = json.loads(text)
                if "id" in message and message["type"] != "event":
                    with self._lock:
                        answers = self._answers.pop(message["id"], None)
                    if answers:
                        answers.put(message)
                else:
                    self._on_event(message["method"], message["params"])
        except ConnectionClosed:
            pass
        with self._lock:
            for answers in self._answers.values():
                answers.put({"type": "error", "error": "closed", "message": "the browser closed the connection"})

    def begin(self, method, **parameters):
        """Sends a command; the queue that is given gets its answer."""
        answers = queue.Queue()
        with self._lock:
            self._last += 1
            number = self._last
            self._answers[number] = answers
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        return answers

    def send(self, method, timeout=40, **parameters):
        try:
            answer = self.begin(method, **parameters).get(timeout=timeout)
        except queue.Empty:
            raise TimeoutError(f"no answer to {method} within {timeout} s") from None
        if answer["type"] == "error":
            if answer["error"] in ("no such frame", "no such history entry") or "AbortError" in answer.get("message", ""):
                raise NavigatedAway(answer["message"])
            raise BiDiError(method, answer)
        return answer["result"]

    def close(self):
        self._connecting.__exit__(None, None, None)


def remote(value):
    """A value as BiDi sends it to the page."""
    if value is None:
        return {"type": "null"}
    if isinstance(value, bool):
        return {"type": "boolean", "value": value}
    if isinstance(value, (int, float)):
        return {"type": "number", "value": value}
    if isinstance(value, str):
        return {"type": "string", "value": value}
    if isinstance(value, dict):
        return {"type": "object", "value": [[key, remote(one)] for key, one in value.items()]}
    return {"type": "array", "value": [remote(one) for one in value]}
