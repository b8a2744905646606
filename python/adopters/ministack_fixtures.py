"""A pytest plugin with what MiniStack's tests expect of a `conftest`, which their source distribution lacks: a server, clients.

The server is patched if the plugin `patched_ministack` is loaded. Tests that need other helpers of that file are skipped.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import boto3
import pytest


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


GATEWAY_PORT = _free_port()
ENDPOINT = f"http://localhost:{GATEWAY_PORT}"
REGION = "us-east-1"

# The tests read it while they are imported.
os.environ["MINISTACK_ENDPOINT"] = ENDPOINT
os.environ["GATEWAY_PORT"] = str(GATEWAY_PORT)


def make_client(service: str, **options: Any) -> Any:
    given = {
        "endpoint_url": ENDPOINT,
        "region_name": REGION,
        "aws_access_key_id": "test",
        "aws_secret_access_key": "test",
    }
    return boto3.client(service, **given | options)


def sqs_policy_allow_sns(queue: str, topic: str) -> dict[str, Any]:
    """A queue's policy that lets a topic send."""
    allowed = {
        "Effect": "Allow",
        "Principal": {"Service": "sns.amazonaws.com"},
        "Action": "sqs:SendMessage",
        "Resource": queue,
        "Condition": {"ArnEquals": {"aws:SourceArn": topic}},
    }
    return {"Version": "2012-10-17", "Statement": [allowed]}


def __getattr__(name: str) -> Callable[..., None]:
    if name.startswith(("__", "pytest")):
        raise AttributeError(name)

    def missing(*_: Any, **__: Any) -> None:
        pytest.skip(f"needs `{name}` of a file that is not distributed")

    return missing


sys.modules["conftest"] = sys.modules[__name__]


@pytest.fixture(scope="session", autouse=True)
def server(request: pytest.FixtureRequest) -> Iterator[None]:
    patch = "import patched_ministack; " if request.config.pluginmanager.has_plugin("patched_ministack") else ""
    code = f"import sys; sys.argv = ['ministack']; {patch}from ministack.app import main; main()"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(600):
        with socket.socket() as client:
            if client.connect_ex(("127.0.0.1", GATEWAY_PORT)) == 0:
                break
        time.sleep(0.1)
    else:
        pytest.exit("MiniStack does not listen")
    yield
    process.terminate()
    process.wait(30)


def _client(name: str, service: str) -> Any:
    @pytest.fixture(scope="session", name=name)
    def client(server: None) -> Any:
        return make_client(service)

    return client


eb = _client("eb", "events")
sns = _client("sns", "sns")
sqs = _client("sqs", "sqs")
lam = _client("lam", "lambda")
sfn = _client("sfn", "stepfunctions")
cfn = _client("cfn", "cloudformation")
iam = _client("iam", "iam")
