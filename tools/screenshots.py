"""Take the pictures of README and docs from a running service: python tools/screenshots.py http://127.0.0.1:8020

The service should hold the bundled runs of a GPU, as any new one on a machine without a GPU does; names of
pictures behind the address take only those.
Needs the `dev` extra and an installed Chromium.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import httpx
from playwright.sync_api import Page, sync_playwright

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
WIDE, PHONE = 1440, 390
TALLEST = 2400


@dataclass(frozen=True)
class Picture:
    """A page of the service as one PNG."""

    name: str
    path: str
    width: int = WIDE
    theme: Literal["light", "dark"] = "light"


def pictures(url: str) -> tuple[Picture, ...]:
    """The overview on the imported ladder, that run's pages, the jobs, and two pages of the lab."""
    runs = httpx.get(f"{url}/api/v1/runs", trust_env=False).raise_for_status().json()["items"]
    run = f"/runs/{next(run['id'] for run in runs if run['imported'] and run['problems'] == ['matmul'])}"
    return (
        Picture("overview", "/?source=imported"),
        Picture("run", run),
        Picture("run-dark", run, theme="dark"),
        Picture("stage", f"{run}/stages/register_tile"),
        Picture("jobs", "/jobs"),
        Picture("profile", _launch_page(url)),
        Picture("hierarchy", "/hierarchy"),
        Picture("experiment", "/lab/stride"),
        Picture("phone", "/?source=imported", PHONE),
    )


def _launch_page(url: str) -> str:
    """The transpose whose lanes meet in one bank, among the bundled captures."""
    reports = httpx.get(f"{url}/api/v1/reports", trust_env=False).raise_for_status().json()["items"]
    chosen = next(r["id"] for r in reports if r["name"].startswith("bank_conflict"))
    return f"/profiles/{chosen}/launches/1"


def main() -> None:
    """Write one PNG a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("names", nargs="*", help="pictures to take; all where none is named")
    asked = parser.parse_args()
    url = asked.url.rstrip("/")
    browser_path = shutil.which("chromium") or sys.exit("No chromium on the PATH: apt install chromium.")
    IMAGES.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=FLAGS)
        for picture in pictures(url):
            if asked.names and picture.name not in asked.names:
                continue
            page = browser.new_page(
                viewport={"width": picture.width, "height": 900}, color_scheme=picture.theme
            )
            page.goto(url + picture.path)
            _draw_everything(page, picture.width)
            page.screenshot(path=IMAGES / f"{picture.name}.png")
            page.close()
        browser.close()


def _draw_everything(page: Page, width: int) -> None:
    """Make the window as tall as the page, so that every chart is drawn and the rail reaches down."""
    tall = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": width, "height": min(tall, TALLEST)})
    for chart in page.locator("figure.chart").all():
        chart.locator(".main-svg").first.wait_for(state="attached")
    page.wait_for_timeout(500)


if __name__ == "__main__":
    main()
