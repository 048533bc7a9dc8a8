import importlib
import subprocess
import sys

import pytest


@pytest.fixture(scope="session")
def admin(understudy, tmp_path_factory):
    """The package that openapi-python-client makes of the admin API's document."""
    folder = tmp_path_factory.mktemp("generated")
    document = f"{understudy}/__understudy__/api/openapi.json"
    generate = [sys.executable, "-m", "openapi_python_client", "generate", "--url", document, "--meta", "none"]
    subprocess.run([*generate, "--output-path", str(folder / "understudy_admin")], check=True, capture_output=True)
    sys.path.insert(0, str(folder))
    return importlib.import_module("understudy_admin")


def test_a_generated_client_moves_the_clock_of_the_world(admin, understudy, world):
    advance_clock = importlib.import_module("understudy_admin.api.default.advance_clock")
    read_clock = importlib.import_module("understudy_admin.api.default.read_clock")
    body = importlib.import_module("understudy_admin.models.advance_clock_body").AdvanceClockBody
    client = admin.Client(base_url=f"{understudy}/__understudy__/api")

    before = read_clock.sync(world.name, client=client)
    advance_clock.sync(world.name, client=client, body=body(duration="1d"))
    after = read_clock.sync(world.name, client=client)

    assert after.now - before.now == 24 * 60 * 60 * 1000


def test_a_generated_client_knows_problems(admin, understudy):
    read_world = importlib.import_module("understudy_admin.api.default.read_world")
    problem = importlib.import_module("understudy_admin.models.problem").Problem
    client = admin.Client(base_url=f"{understudy}/__understudy__/api")

    assert isinstance(read_world.sync("nowhere", client=client), problem)
