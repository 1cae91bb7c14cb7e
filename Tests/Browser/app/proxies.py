"""nginx before a server, as the examples of the documentation set it up."""

import re
import shutil
import socket
import subprocess

from program import ROOT

NGINX = shutil.which("nginx") or "/usr/sbin/nginx"


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Nginx:
    """nginx with one of the examples, a certificate that it signed itself, and a log of the addresses it was asked for."""

    def __init__(self, folder, example, server_port, others={}):
        """`others`: further servers, by their paths, which are set up as the first one is."""
        self.folder, self.port = folder, free_port()
        key, certificate = folder / "key.pem", folder / "certificate.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2",
             "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"], check=True, capture_output=True)
        words = {
            "LISTEN": f"127.0.0.1:{self.port}", "NAME": "localhost", "CERTIFICATE": certificate, "KEY": key, "PORT": server_port}
        lines = (ROOT / "Documentation/Examples" / example).read_text().splitlines()
        site = "\n".join(line for line in lines if not line.lstrip().startswith("#"))
        if others:
            own = re.search(r"  location /photos/ \{.*?\n  \}\n", site, re.S)[0]
            for path, port in others.items():
                site = site.replace(own, own + own.replace("/photos/", path + "/").replace("PORT", str(port)))
        site = re.sub(rf"\b({'|'.join(words)})\b", lambda word: str(words[word[0]]), site)
        folders = "\n".join(f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        main = folder / "nginx.conf"
        main.write_text(
            f"pid {folder}/nginx.pid;\nerror_log {folder}/error.log;\ndaemon off;\nworker_processes 1;\nevents {{}}\n"
            f"http {{\nlog_format paths '$status $request_method $request_uri';\naccess_log {folder}/paths.log paths;\n"
            f"{folders}\n{site}\n}}\n")
        self.process = subprocess.Popen([NGINX, "-p", folder, "-c", main], stderr=subprocess.PIPE)
        while self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                break
            except ConnectionRefusedError:
                pass
        assert self.process.poll() is None, self.process.stderr.read()

    @property
    def url(self):
        return f"https://localhost:{self.port}"

    @property
    def requests(self):
        """`(status, method, address)` of each request that has been answered, scripts' and workers' among them."""
        return [line.split(" ", 2) for line in (self.folder / "paths.log").read_text().splitlines()]

    def end(self):
        self.process.terminate()
        self.process.wait(20)
        self.process.stderr.close()
