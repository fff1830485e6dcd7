"""
The second program for many runs in one process, because to load scipy takes longer than to recompute a small run. Each
line of its input is a list of the words of one command, each line of its output {status, stdout, stderr}.
"""

import contextlib
import io
import json
import sys
import traceback

from recompute.__main__ import CANNOT, main

for line in sys.stdin:
    stdout, stderr = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(stderr):
        try:
            status = main(json.loads(line))
        except Exception:
            traceback.print_exc()
            status = CANNOT
    print(json.dumps({'status': status, 'stdout': stdout.getvalue(), 'stderr': stderr.getvalue()}), flush=True)
