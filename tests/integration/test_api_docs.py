"""docs/api.md: every curl command does what the page says, every error code is there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from httpx import Response

from app.domain import errors
from app.storage.store import Store
from app.web.error_pages import CODE_BY_STATUS
from tests import examples
from tests.reports import raw_csv

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "api.md").read_text()
COMMAND = re.compile(r"^(curl (?:[^#]|#\S)+?)\n# (\d{3})$", re.MULTILINE)


def commands() -> list[tuple[str, int]]:
    blocks = re.findall(r"```bash\n(.*?)```", TEXT, re.DOTALL)
    return [(text, int(status)) for block in blocks for text, status in COMMAND.findall(block)]


def run(client: TestClient, command: str, folder: Path) -> Response:
    """What curl would do, for the options that the page uses."""
    method, url, output, headers = "GET", "", "", {}
    content: bytes | None = None
    files: dict[str, bytes] | None = None
    words = iter(shlex.split(command.replace("\\\n", " "))[1:])
    for word in words:
        match word:
            case "-X":
                method = next(words)
            case "-o":
                output = next(words)
            case "-H":
                name, value = next(words).split(": ")
                headers[name] = value
            case "-d":
                content = next(words).encode()
            case "--data-binary":
                content = (folder / next(words).removeprefix("@")).read_bytes()
            case "-F":
                field, name = next(words).split("=@")
                files = {field: (folder / name).read_bytes()}
            case _:
                assert word.startswith("http"), word
                url = word
    response: Response = client.request(method, url, headers=headers, content=content, files=files)
    if output:
        (folder / output).write_bytes(response.content)
    return response


def test_every_command_does_what_the_page_says(client: TestClient, store: Store, tmp_path: Path) -> None:
    store.put_worker(examples.cpu_worker())
    (tmp_path / "gemm.csv").write_bytes(raw_csv())
    found = commands()
    assert len(found) == TEXT.count("\ncurl ")
    for number, (command, status) in enumerate(found):
        if number == 4:  # the page goes on to a run that another machine measured
            kept = examples.imported_run()
            store.import_run(kept, [examples.samples(m) for m in kept.measurements])
        response = run(client, command, tmp_path)
        assert response.status_code == status, (command, response.text)


@pytest.mark.parametrize(
    "code",
    {
        *CODE_BY_STATUS.values(),
        *(
            kind.code
            for kind in vars(errors).values()
            if isinstance(kind, type)
            and issubclass(kind, errors.RoofladderError)
            and not issubclass(kind, errors.StageFailure)
            and kind is not errors.RoofladderError
        ),
    }
    - {"unsupported_media_type"},
)
def test_every_code_is_on_the_page(code: str) -> None:
    assert f"`{code}`" in TEXT
