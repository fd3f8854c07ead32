# SPDX-License-Identifier: Apache-2.0
"""examples/quickstart.ipynb runs from top to bottom, and is kept without outputs."""
import os

import needs

nbclient = needs.module("nbclient")
needs.packages("ipykernel")
import nbformat  # noqa: E402


def test_quickstart(root, build, tmp_path, monkeypatch):
    notebook = nbformat.read(os.path.join(root, "examples", "quickstart.ipynb"), as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code and not any(cell.outputs or cell.execution_count for cell in code)
    for name, value in (("HEDDLE_BUILD", build), ("HEDDLE_CACHE_DIR", tmp_path / "cache"), ("PYTHONPATH", os.path.join(root, "front", "python")),
                        ("IPYTHONDIR", tmp_path / "ipython"), ("JUPYTER_RUNTIME_DIR", tmp_path / "jupyter")):
        monkeypatch.setenv(name, str(value))
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    said = ["".join(output.get("text", "") + output.get("data", {}).get("text/plain", "") for output in cell.outputs) for cell in code]
    text = "\n".join(said)
    assert text.count("agrees with JAX") == 4 and "float32[b, s, 64]" in text and "HeddleDevice" in text
    assert not any(output.get("name") == "stderr" and "Error" in output["text"] for cell in code for output in cell.outputs), text
