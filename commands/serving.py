"""The command that starts the dashboard."""

import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from commands.parsing import Output, add_command
from data.errors import InputError

APP = Path(__file__).resolve().parent.parent / "app.py"


def add(commands: Any) -> None:
    """Add serve."""
    serve = add_command(commands, "serve", "Start the dashboard on this machine.", _serve)
    serve.add_argument("--port", type=int, help="port to listen on (default 8501)")
    serve.add_argument("--address", default="127.0.0.1", help="address to listen on (default 127.0.0.1)")


def _serve(options: argparse.Namespace) -> Output:
    """Run the dashboard in a process of its own until it is stopped."""
    environment = {**os.environ, **({"SWITCHOVER_DB": str(Path(options.db).resolve())} if options.db else {})}
    command = [sys.executable, "-m", "streamlit", "run", str(APP)]
    command += [f"--server.address={options.address}", "--server.headless=true"]
    command += [f"--server.port={options.port}"] if options.port else []
    try:
        ended = subprocess.run(command, cwd=APP.parent, env=environment, check=False)  # noqa: S603 - own command
    except KeyboardInterrupt:
        return {"exit": 0}
    if ended.returncode not in (0, -2, 130):
        raise InputError(f"the dashboard ended with exit code {ended.returncode}; its message stands above")
    return {"exit": ended.returncode}
