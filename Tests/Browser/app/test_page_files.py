"""The scripts and style sheets that pages are sent: those of the source, without the lines that are comments."""

import re

import minify
from program import ROOT

FOLDERS = {"assets": ROOT / "Apps/Sources/ContactSheet/Pages", "live-list": ROOT / "Sources/ListStream/Browser"}
TYPES = {".js": "application/javascript", ".css": "text/css"}


def test_scripts_and_style_sheets_mean_the_same_without_their_comments(server):
    files = [(name, folder, path) for name, folder in FOLDERS.items() for path in sorted(folder.rglob("*")) if path.suffix in TYPES]
    assert len(files) > 80
    before = after = 0
    for name, folder, path in files:
        source = path.read_text()
        sent = server.get(f"/{name}/{path.relative_to(folder)}").decode()
        kind = TYPES[path.suffix]
        assert minify.string(kind, sent) == minify.string(kind, source), path
        # The numbers of lines in errors are those of the source.
        assert sent.count("\n") == source.count("\n"), path
        comments = r"^ *(//|/\*)" if path.suffix == ".js" else r"^ */\*"
        assert not re.search(comments, sent, flags=re.M), path
        before, after = before + len(source), after + len(sent)
    print(f"{len(files)} files: {before} characters, {after} sent")
    assert after < 0.9 * before
