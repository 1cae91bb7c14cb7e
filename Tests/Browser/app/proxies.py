"""nginx and Caddy before a server, as the examples of the documentation set them up."""

import json
import os
import re
import shutil
import socket
import subprocess

from program import ROOT

NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
CADDY = shutil.which("caddy") or "/usr/bin/caddy"


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def example(name):
    """An example of the documentation, without its comments."""
    lines = (ROOT / "Documentation/Examples" / name).read_text().splitlines()
    return "\n".join(line for line in lines if not line.lstrip().startswith("#"))


class Proxy:
    """A program that speaks https, with a certificate that it signed itself, and a log of the addresses it was asked for."""

    def __init__(self, folder):
        self.folder, self.port = folder, free_port()
        self.key, self.certificate = folder / "key.pem", folder / "certificate.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", self.key, "-out", self.certificate, "-days", "2",
             "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"], check=True, capture_output=True)

    def start(self, *command, **options):
        """Starts the program, and waits until it listens."""
        self.said = self.folder / "said.log"
        with open(self.said, "wb") as said:
            self.process = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT, **options)
        while self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                break
            except ConnectionRefusedError:
                pass
        assert self.process.poll() is None, self.said.read_text()

    @property
    def url(self):
        return f"https://localhost:{self.port}"

    def end(self):
        self.process.terminate()
        self.process.wait(20)


class Nginx(Proxy):
    def __init__(self, folder, server_port, path=None, others=None):
        """`path`: the path of the server, if it has one; `others`: further servers, by their paths, set up as the first one is."""
        super().__init__(folder)
        words = {
            "LISTEN": f"127.0.0.1:{self.port}", "NAME": "localhost", "CERTIFICATE": self.certificate, "KEY": self.key, "PORT": server_port}
        site = example("nginx-path.conf" if path else "nginx.conf")
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
        self.start(NGINX, "-p", folder, "-c", main)

    @property
    def requests(self):
        """`(status, method, address)` of each request that has been answered, scripts' and workers' among them."""
        return [line.split(" ", 2) for line in (self.folder / "paths.log").read_text().splitlines()]


class Caddy(Proxy):
    def __init__(self, folder, server_port, path=None, others=None, read_header="1m"):
        """`path`: the path of the server, if it has one; `others`: further servers, by their paths, set up as the first one is;
        `read_header`: how long the head of a request may take."""
        super().__init__(folder)
        site = example("Caddyfile-path" if path else "Caddyfile")
        if others:
            own = re.search(r"\tredir .*?\n\t\}\n", site, re.S)[0]
            for path, port in others.items():
                site = site.replace(own, own + own.replace("/photos", path).replace("8080", str(port)))
        site = site.replace("127.0.0.1:8080", f"127.0.0.1:{server_port}")
        # Instead of a name and a certificate from outside. The log is the test's.
        site = re.sub(
            r"^\S+\.example \{",
            f"https://localhost:{self.port} {{\n\tbind 127.0.0.1\n\ttls {self.certificate} {self.key}\n"
            f"\tlog {{\n\t\toutput file {folder}/paths.log\n\t\tformat json\n\t}}", site, flags=re.M)
        options = "{\n\tgrace_period 3s\n"
        assert options in site and "read_header 1m" in site
        site = site.replace("read_header 1m", f"read_header {read_header}")
        # Streams are still open when a test is over.
        site = site.replace(options, "{\n\tadmin off\n\tauto_https disable_redirects\n\tgrace_period 1s\n")
        main = folder / "Caddyfile"
        main.write_text(f"{site}\n")
        own = {name: str(folder / "caddy") for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")}
        self.start(CADDY, "run", "--config", main, "--adapter", "caddyfile", env={**os.environ, **own})

    @property
    def requests(self):
        """`(status, method, address)` of each request that has been answered, scripts' and workers' among them."""
        entries = [json.loads(line) for line in (self.folder / "paths.log").read_text().splitlines()]
        return [(str(entry["status"]), entry["request"]["method"], entry["request"]["uri"]) for entry in entries if "request" in entry]


#: Each kind of proxy that is documented.
PROXIES = {"nginx": Nginx, "caddy": Caddy}
