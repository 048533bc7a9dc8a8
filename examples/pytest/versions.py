"""Says which versions are here, for a table of what was tried."""
import platform
from importlib.metadata import version

names = ["pytest", "httpx", "openapi-python-client"]
print(", ".join([f"{name} {version(name)}" for name in names] + ["Python " + ".".join(platform.python_version_tuple()[:2])]))
