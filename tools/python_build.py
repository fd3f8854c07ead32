# SPDX-License-Identifier: Apache-2.0
"""The build backend of `pip install .` (PEP 517): builds the libraries with CMake and puts them into a wheel with the
Python package. Needs what the compiler's own build needs (tools/setup.sh build), nothing from PyPI.

HEDDLE_WHEEL_BUILD names the build folder (build/wheel); one that exists is used as it is."""
import base64
import hashlib
import io
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
LIBRARIES = ("libheddle.so", "libheddle_rt.so", "libheddle_pjrt.so", "heddle_python.abi3.so")
TARGETS = ("heddle", "heddle_rt", "heddle_pjrt", "heddle_python")


def _project():
    """What pyproject.toml's [project] says, with the version that CMakeLists.txt's project() says."""
    try: import tomllib
    except ImportError: from pip._vendor import tomli as tomllib
    with open(os.path.join(ROOT, "pyproject.toml"), "rb") as handle: project = tomllib.load(handle)["project"]
    with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as handle: version = re.search(r"^project\(heddle VERSION ([0-9.]+) ", handle.read(), re.M)
    return {**project, "version": version.group(1)}


def _metadata(project):
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {project['version']}", f"Summary: {project['description']}",
             f"License: {project['license']}", f"Requires-Python: {project['requires-python']}"]
    lines += [f"Requires-Dist: {name}" for name in project["dependencies"]]
    for extra, names in project["optional-dependencies"].items():
        lines += [f"Provides-Extra: {extra}"] + [f"Requires-Dist: {name}; extra == '{extra}'" for name in names]
    with open(os.path.join(ROOT, project["readme"]), encoding="utf-8") as handle: readme = handle.read()
    return "\n".join(lines + ["Description-Content-Type: text/markdown", "", readme])


def _entry_points(project):
    return "".join(f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in entries.items()) for group, entries in project["entry-points"].items())


def _tag():
    return f"cp311-abi3-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def _build():
    """The folder of the built libraries."""
    folder = os.environ.get("HEDDLE_WHEEL_BUILD") or os.path.join(ROOT, "build", "wheel")
    if not os.path.exists(os.path.join(folder, "build.ninja")):
        subprocess.run([os.path.join(ROOT, "tools", "configure.sh"), "release", folder], cwd=ROOT, check=True)
    targets = subprocess.run(["cmake", "--build", folder, "--target", "help"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    if "heddle_python" not in targets: sys.exit(f"{folder} was configured without Python's headers: install python3-dev and configure it again (tools/configure.sh)")
    subprocess.run(["cmake", "--build", folder, "--target", *TARGETS], cwd=ROOT, check=True, stdout=sys.stderr)
    return os.path.join(folder, "lib")


class _Wheel:
    def __init__(self, path):
        self.zip, self.record = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED), []

    def add(self, name, data, executable=False):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(data)}")
        info = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
        info.external_attr = (0o755 if executable else 0o644) << 16
        info.compress_type = zipfile.ZIP_DEFLATED
        self.zip.writestr(info, data)

    def close(self, info):
        self.record.append(f"{info}/RECORD,,")
        self.zip.writestr(f"{info}/RECORD", "\n".join(self.record) + "\n")
        self.zip.close()


def _package_files():
    top = os.path.join(ROOT, "front", "python")
    for folder, folders, names in sorted(os.walk(top)):
        folders[:] = [f for f in folders if f != "__pycache__"]
        for name in sorted(names):
            if name.endswith((".py", ".pyi", ".typed")):
                path = os.path.join(folder, name)
                with open(path, "rb") as handle: yield os.path.relpath(path, top), handle.read()


def _write(wheel, project, info):
    wheel.add(f"{info}/METADATA", _metadata(project).encode())
    wheel.add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: heddle\nRoot-Is-Purelib: false\nTag: {_tag()}\n".encode())
    wheel.add(f"{info}/entry_points.txt", _entry_points(project).encode())


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    project = _project()
    libraries = _build()
    info, name = f"{project['name']}-{project['version']}.dist-info", f"{project['name']}-{project['version']}-{_tag()}.whl"
    wheel = _Wheel(os.path.join(wheel_directory, name))
    for path, data in _package_files(): wheel.add(path, data)
    for library in LIBRARIES:
        stripped = os.path.join(wheel_directory, library)
        subprocess.run(["strip", "--strip-unneeded", "-o", stripped, os.path.join(libraries, library)], check=True)
        with open(stripped, "rb") as handle: wheel.add(f"heddle/lib/{library}", handle.read(), executable=True)
        os.remove(stripped)
    _write(wheel, project, info)
    wheel.close(info)
    return name


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """The package in place; its libraries are those of HEDDLE_BUILD or build/."""
    project = _project()
    info, name = f"{project['name']}-{project['version']}.dist-info", f"{project['name']}-{project['version']}-{_tag()}.whl"
    wheel = _Wheel(os.path.join(wheel_directory, name))
    wheel.add("heddle-in-place.pth", (os.path.join(ROOT, "front", "python") + "\n").encode())
    _write(wheel, project, info)
    wheel.close(info)
    return name


def build_sdist(sdist_directory, config_settings=None):
    project = _project()
    base = f"{project['name']}-{project['version']}"
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    with tarfile.open(os.path.join(sdist_directory, f"{base}.tar.gz"), "w:gz") as tar:
        for path in filter(None, files): tar.add(os.path.join(ROOT, path), f"{base}/{path}")
        data = _metadata(project).encode()
        entry = tarfile.TarInfo(f"{base}/PKG-INFO")
        entry.size = len(data)
        tar.addfile(entry, io.BytesIO(data))
    return f"{base}.tar.gz"
