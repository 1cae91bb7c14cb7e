"""A thousand browsers of one album, as far as their connections go: sockets that read frames."""

import json
import select
import socket
import time
import uuid


class Readers:
    """Connections to the stream of an album, all in one thread."""

    def __init__(self, server, count):
        self.server, self.sockets = server, {}
        self.poll = select.epoll()
        self.control = self._connect()
        for _ in range(count):
            one = self._connect()
            one.sendall(f"GET /api/albums/{server.album_id}/stream HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
                        "Accept: text/event-stream\r\nAccept-Encoding: gzip\r\n\r\n".encode())
            one.setblocking(False)
            self.sockets[one.fileno()] = [one, b""]
            self.poll.register(one, select.EPOLLIN)

    def _connect(self):
        one = socket.create_connection(("127.0.0.1", int(self.server.port)))
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return one

    def until_all_have_the_list(self):
        """Snapshots are compressed, and end with what ends every compressed event; small changes come as they are."""
        self.until_all_have(b"\0\0\xff\xff")

    def until_all_have(self, text, timeout=30):
        """Reads until each connection has received a text, and answers the time of the last of them."""
        waiting, deadline = set(self.sockets), time.perf_counter() + timeout
        while waiting:
            events = self.poll.poll(1)
            if time.perf_counter() > deadline:
                raise RuntimeError(f"{len(waiting)} of {len(self.sockets)} readers have not heard of it")
            for number, _ in events:
                entry = self.sockets[number]
                try:
                    data = entry[0].recv(1 << 18)
                except BlockingIOError:
                    continue
                if not data:
                    raise RuntimeError("the server ended a stream: " + entry[1][-300:].decode(errors="replace"))
                if number in waiting and text in entry[1][-len(text):] + data:
                    waiting.discard(number)
                entry[1] = data[-300:]
        return time.perf_counter()

    def drag(self, photo, after):
        """Moves a photo, and answers how long it took until the last reader had the frame."""
        act = str(uuid.uuid4())
        body = json.dumps({"act": act, "ids": [photo], "after": after, "before": None}).encode()
        address = f"127.0.0.1:{self.server.port}"
        request = (f"POST /api/albums/{self.server.album_id}/moves HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\n"
                   f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n").encode() + body
        start = time.perf_counter()
        self.control.sendall(request)
        end = self.until_all_have(act.encode())
        answer = self.control.recv(65536)
        if b" 200 " not in answer.split(b"\r\n", 1)[0]:
            raise RuntimeError(f"the move was refused: {answer.decode(errors='replace')}")
        return (end - start) * 1000

    def close(self):
        for one, _ in self.sockets.values():
            one.close()
        self.control.close()
