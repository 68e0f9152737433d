"""Requests that are made from `docs/openapi.yaml`: the short form of `make service-fuzz`."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

from world import World

SEED = 1
EXAMPLES = 24
# For a machine on which many other programs run.
PATIENCE = 1_200


def test_answers_to_generated_requests_are_as_the_description_says(world: World) -> None:
    program = pathlib.Path(__file__).with_name("fuzz")
    environment = {**os.environ, "KINFOLK": world.kinfolk_path, "KINFOLKD": world.kinfolkd_path, "PYTHON": sys.executable}
    command = [str(program), "--seed", str(SEED), "--examples", str(EXAMPLES)]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert result.returncode == 0, result.stdout[-20_000:] + result.stderr[-5_000:]
