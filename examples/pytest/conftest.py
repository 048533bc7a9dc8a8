import json
import subprocess
from uuid import uuid4

import httpx
import pytest


class World:
    """The data, clock and journal of one test: `api` is what an app would use, `arrange` the admin API."""

    def __init__(self, url: str):
        self.name = f"test-{uuid4().hex}"
        self.api = httpx.Client(base_url=f"{url}/api", headers={"X-Understudy-World": self.name})
        self.admin = f"{url}/__understudy__/api/worlds/{self.name}"

    def arrange(self, method: str, path: str, body: object = None) -> dict:
        reply = httpx.request(method, self.admin + path, json=body)
        if reply.is_error:
            raise AssertionError(reply.json()["detail"])
        return reply.json() if reply.content else {}


@pytest.fixture(scope="session")
def understudy():
    """The address of a server that runs as long as the tests do."""
    command = ["npx", "pipeline-understudy", "serve", "--port", "0", "--fixture", "empty", "--clock", "frozen"]
    # npx does not hand on a signal; the end of its input reaches the server, also where pytest is killed.
    flags = ["--json", "--until-stdin-ends"]
    server = subprocess.Popen([*command, *flags], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        # Its first line says where it listens; without one it has not started, and said why on stderr.
        yield json.loads(server.stdout.readline())["listening"]
    finally:
        server.communicate(timeout=10)


@pytest.fixture
def world(understudy):
    """A world for one test, deleted after it."""
    world = World(understudy)
    httpx.post(f"{understudy}/__understudy__/api/worlds", json={"name": world.name}).raise_for_status()
    yield world
    world.arrange("DELETE", "")
