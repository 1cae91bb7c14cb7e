"""Where the browser is."""

import os
import shutil


def chromium_path():
    candidates = [os.environ.get("CHROMIUM"), "chromium-headless-shell", "chromium", "google-chrome"]
    for candidate in filter(None, candidates):
        if found := shutil.which(candidate):
            return found
    raise RuntimeError("No Chromium was found: install chromium-headless-shell, or name one in CHROMIUM.")
