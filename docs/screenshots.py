"""Takes the screenshots of the docs, on the sample Web: `python -m docs.screenshots`.

Needs Debian's `chromium` and the packages of the tests.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import sync_playwright

from tests.apps.serve import serving
from whatsrelated.api import open

IMAGES = Path(__file__).parent / "images"
WIDE = {"width": 1400, "height": 900}
PHONE = {"width": 390, "height": 780}
PAPER = "url=https://www.nytimes.com/"


def unfold(page: Any) -> None:
    page.locator("details.evidence > summary").first.click()
    page.mouse.move(5, 5)
    page.evaluate("document.activeElement.blur()")


def type_in(page: Any) -> None:
    page.locator("#box").press_sequentially("new yo")
    page.get_by_role("option").first.wait_for()
    page.keyboard.press("ArrowDown")


SHOTS: dict[str, tuple[str, dict[str, Any], Callable[[Any], None] | None]] = {
    "answer.png": (f"/?{PAPER}", {"viewport": WIDE}, unfold),
    "compare.png": (
        f"/?{PAPER}&by=companion&with=cocitation&with=lli",
        {"viewport": WIDE},
        None,
    ),
    "hubs.png": (f"/?{PAPER}&view=hubs", {"viewport": WIDE}, None),
    "typing.png": ("/", {"viewport": {"width": 1200, "height": 620}}, type_in),
    "phone.png": (
        f"/?{PAPER}",
        {"viewport": PHONE, "color_scheme": "dark", "device_scale_factor": 1.5},
        None,
    ),
}


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with serving(open("sample")) as client, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=arguments
        )
        for name, (path, context, act) in SHOTS.items():
            address = str(client.base_url.join(path))
            client.get(f"{address}&seed=1")
            page = browser.new_context(**context).new_page()
            page.goto(address)
            if act:
                act(page)
            page.wait_for_timeout(200)
            page.screenshot(path=IMAGES / name, quality=85 if name.endswith(".jpg") else None)
            print(IMAGES / name)
        page = browser.new_page(viewport={"width": 1100, "height": 1330})
        with TemporaryDirectory() as folder:
            page.goto(report(Path(folder)).as_uri())
            page.screenshot(path=IMAGES / "report.png")
        browser.close()


def report(folder: Path) -> Path:
    """A report of `related evaluate` on held-out links of the sample Web."""
    path = folder / "report.html"
    command = [sys.executable, "-m", "whatsrelated", "evaluate", "sample", "--hold-out", "0.1"]
    subprocess.run([*command, "--report", str(path)], check=True, stdout=subprocess.DEVNULL)
    return path


if __name__ == "__main__":
    main()
