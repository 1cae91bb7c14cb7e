"""Numbers at the edges, wherever the server takes one: queries, forms, JSON, headers."""

import uuid
from urllib.parse import quote

from ground import EDGES, routes

#: Forms of pages without scripts, and members of JSON bodies, with the fields that hold numbers or lead to one.
FORMS = ["place", "move", "delete", "undo", "rename", "restore"]


def attack(ground, dice, count, outcome):
    album, photo = ground.album, str(uuid.uuid4())

    def send(method, path, body=None, headers=None):
        status = ground.request(method, path, body, headers)[0]
        outcome.attempt(
            200 <= status < 500 or status == 503, lambda: f"{status} for {method} {path} {body!r} {headers}: {ground.server.log[-2:]}")
        if ground.server.process.poll() is not None:
            ground.restart()

    cases = []
    for method, path, names in routes():
        if path.endswith("/stream"):
            names = [*names, "window"]
        path = path.replace("{album}", album).replace("{photo}", photo).replace("{hash}", "0" * 64).replace("{name}", "album.js")
        for edge in EDGES:
            for name in names or ["n"]:
                cases.append((method, f"{path}?{name}={quote(edge)}", None, None))
            for pair in ((edge, "1"), ("0", edge), (edge, edge)):
                if "from" in names:
                    cases.append((method, f"{path}?from={quote(pair[0])}&count={quote(pair[1])}", None, None))
                cases.append((method, path, None, {"Range": f"bytes={pair[0]}-{pair[1]}"}))
            if "window" in names:
                cases.append((method, f"{path}?window={quote(edge + '-' + edge)}", None, None))
                cases.append((method, f"{path}?window={quote(edge + ',' + edge)}", None, None))
                cases.append((method, path, None, {"Last-Event-ID": f"{edge}.{edge}"}))
    for edge in EDGES:
        for field in ("position", "place", "page", "count", "from", "at", "limit"):
            for do in FORMS:
                body = f"do={do}&photo={photo}&{field}={quote(edge)}".encode()
                cases.append(("POST", f"/albums/{album}", body, {"Content-Type": "application/x-www-form-urlencoded"}))
            cases.append(("GET", f"/albums/{album}?{field}={quote(edge)}", None, {"Accept": "text/html"}))
        if edge.lstrip("-").isdigit():
            for path in ("moves", "deletes", "transfers", "order", "undo"):
                body = f'{{"act": "{uuid.uuid4()}", "ids": [{edge}], "all": {{"version": "{edge}.{edge}"}}, "after": {edge}, "undoes": {edge}}}'
                cases.append(("POST", f"/api/albums/{album}/{path}", body.encode(), {"Content-Type": "application/json"}))
                body = f'{{"act": "{uuid.uuid4()}", "all": {{"version": "1.{edge}"}}}}'
                cases.append(("POST", f"/api/albums/{album}/{path}", body.encode(), {"Content-Type": "application/json"}))
    dice.shuffle(cases)
    for case in cases[:count]:
        send(*case)
