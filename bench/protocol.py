# SPDX-License-Identifier: Apache-2.0
"""What the benchmark's processes have in common: JSON lines on stdin, answered on stdout."""
import json
import os
import sys
import traceback


def serve(connect):
    """connect() gives the function from a request to its reply; null from that: the op is unknown. Ends with stdin."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what libraries print goes to stderr
    answer = connect()
    for line in sys.stdin:
        request = json.loads(line)
        try:
            reply = answer(request)
            if reply is None: reply = {"failed": f"unknown op {request['op']}"}
        except Exception as error:  # a peer that cannot run a case is a row in the report
            traceback.print_exc()
            reply = {"failed": f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"[:300]}
        print(json.dumps(reply), file=answers, flush=True)
