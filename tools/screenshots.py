"""Take the README's pictures from a running service: python tools/screenshots.py http://127.0.0.1:8020

The service should hold the bundled run of a GPU, as any new one on a machine without a GPU does.
Needs the `dev` extra and an installed Chromium.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

import httpx
from playwright.sync_api import sync_playwright

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
VIEWPORT = {"width": 1360, "height": 900}
CHARTS_DRAWN_MS = 2000


def pages(url: str) -> dict[str, str]:
    """Picture name to address: the overview on the imported ladder, and that run's page."""
    runs = httpx.get(f"{url}/api/v1/runs", trust_env=False).raise_for_status().json()["items"]
    imported = next(run["id"] for run in runs if run["imported"])
    return {"overview": f"{url}/?source=imported", "run": f"{url}/runs/{imported}"}


def main() -> None:
    """Write one PNG a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    url = parser.parse_args().url.rstrip("/")
    browser_path = shutil.which("chromium") or sys.exit("No chromium on the PATH: apt install chromium.")
    IMAGES.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=FLAGS)
        page = browser.new_page(viewport=VIEWPORT)  # type: ignore[arg-type]
        for name, address in pages(url).items():
            page.goto(address)
            page.wait_for_timeout(CHARTS_DRAWN_MS)
            page.screenshot(path=IMAGES / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
