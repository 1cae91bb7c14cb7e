"""Where the browser is."""

import os
import shutil
from pathlib import Path

SHELL = "chromium-headless-shell"


def chromium_path():
    """The Chromium that is named in CHROMIUM, or one that is installed."""
    for candidate in filter(None, [os.environ.get("CHROMIUM"), SHELL, "chromium", "google-chrome"]):
        if found := shutil.which(candidate):
            return found
    raise RuntimeError("No Chromium was found: install chromium-headless-shell, or name one in CHROMIUM.")


def headless_path():
    """The Chromium without windows, which does the same with half the work; another where there is none."""
    return shutil.which(SHELL) or beside(os.environ.get("CHROMIUM")) or chromium_path()


def beside(chromium):
    """The Chromium without windows that Playwright has fetched together with this one."""
    folder = next((folder for folder in Path(chromium or "").parents if folder.name.startswith("chromium-")), None)
    if folder is None:
        return None
    shells = folder.parent.glob(f"{folder.name.replace('chromium-', 'chromium_headless_shell-')}/*/*headless*shell")
    return next(map(str, shells), None)
