#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Run the steps of GitLab's and GitHub's CI files as their runners do, TAP on stdout.

usage: ci_steps.py --repository DIR --project DIR --work DIR [--root DIR] [--once] FILE...

Every job has a new folder with a copy of the project, the artifacts of the stages before it, and
its cache; the whole file runs twice, as the first run leaves the caches of the second. The
repository takes the place of the one that the files name. With --root, each job has a new copy of
the system in that folder, which takes root rights.
"""

import argparse
import glob
import os
import re
import shutil
import subprocess
import sys

import yaml


class Failed(Exception):
    pass


def copy_paths(patterns, source, target, missing_ok=True):
    """Files and folders by glob patterns, relative to both folders. Return: how many."""
    found = 0
    for pattern in patterns:
        for path in sorted(glob.glob(pattern, root_dir=source)):
            to = os.path.join(target, path)
            os.makedirs(os.path.dirname(to) or ".", exist_ok=True)
            if os.path.isdir(os.path.join(source, path)):
                shutil.copytree(os.path.join(source, path), to, symlinks=True, dirs_exist_ok=True)
            else:
                shutil.copy2(os.path.join(source, path), to)
            found += 1
    if not found and not missing_ok:
        raise Failed("no file is %s" % ", ".join(patterns))
    return found


# The folders of the work and the repository appear in the system.
ENTER = """
mount -t proc none "$1/proc" && mount --bind /dev "$1/dev" && mkdir -p "$1/ci" "$1/repository" &&
mount --bind "$2" "$1/ci" && mount --bind "$3" "$1/repository" || exit 2
root=$1 folder=$4
shift 4
exec chroot "$root" sh -c 'cd "$0" && exec "$@"' "$folder" "$@"
"""


class Runner:
    """Commands of the jobs."""

    def __init__(self, options):
        self.options = options
        self.work = os.path.abspath(options.work)
        self.root = os.path.join(self.work, "root") if options.root else None

    def seen(self, path):
        """A path of the work or the repository, for commands."""
        if not self.root:
            return path
        return "/repository" if path == self.options.repository else \
            "/ci" + path[len(self.work):]

    def new_system(self):
        if not self.root:
            return
        subprocess.run(["rm", "-rf", "--one-file-system", self.root], check=True)
        subprocess.run(["cp", "-a", self.options.root, self.root], check=True)

    def shell(self, lines, folder, env):
        """The lines of a job as one script, which ends with the first command that fails."""
        script = "set -e\n" + "\n".join(lines)
        words = ["sh", "-c", script]
        if self.root:
            words = ["unshare", "--mount", "sh", "-c", ENTER, "-", self.root, self.work,
                     self.options.repository, self.seen(folder)] + words
            env = dict(env, PATH="/usr/sbin:/usr/bin:/sbin:/bin", HOME="/root",
                       DEBIAN_FRONTEND="noninteractive", LC_ALL="C.UTF-8",
                       **{k: v for k, v in os.environ.items() if k.endswith("_proxy")})
        else:
            env = dict(os.environ, **env)
        done = subprocess.run(words, cwd=folder, env=env, text=True, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        if done.returncode:
            raise Failed("status %d of: %s\n%s" % (done.returncode, script, done.stdout[-3000:]))

    def new_folder(self, name):
        self.new_system()
        folder = os.path.join(self.work, "jobs", name)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.options.project, folder)
        return folder


# ---- GitLab ----

class GitLab(Runner):
    def __init__(self, options, definition):
        super().__init__(options)
        self.variables = definition.pop("variables", {})
        self.stages = definition.pop("stages", ["test"])
        self.jobs = definition

    def copies(self, job):
        count = job.get("parallel", 1)
        return [{"CI_NODE_INDEX": str(i + 1), "CI_NODE_TOTAL": str(count)} for i in range(count)]

    def environment(self, folder, more):
        env = {"CI_PROJECT_DIR": self.seen(folder)}
        for name, value in self.variables.items():
            env[name] = value.replace("$CI_PROJECT_DIR", env["CI_PROJECT_DIR"])
        env["VSHADER_URL"] = "file://" + self.seen(self.options.repository)
        env.update(more)
        return env

    def run_job(self, name, job, more):
        folder = self.new_folder(name)
        kept = os.path.join(self.work, "artifacts")
        cache = job.get("cache", {})
        cached = os.path.join(self.work, "caches", cache.get("key", "none"))
        copy_paths(["*", ".[!.]*"], kept, folder)
        copy_paths(cache.get("paths", []), cached, folder)
        self.shell(job.get("before_script", []) + job["script"], folder,
                   self.environment(folder, more))
        artifacts = job.get("artifacts", {})
        if "paths" in artifacts:
            copy_paths(artifacts["paths"], folder, kept, missing_ok=False)
        reports = os.path.join(self.work, "reports", name + more.get("CI_NODE_INDEX", ""))
        for report in artifacts.get("reports", {}).values():
            copy_paths([report], folder, reports, missing_ok=False)
        copy_paths(cache.get("paths", []), folder, cached)
        shutil.rmtree(folder)

    def run(self):
        shutil.rmtree(os.path.join(self.work, "artifacts"), ignore_errors=True)
        os.makedirs(os.path.join(self.work, "artifacts"))
        for stage in self.stages:
            for name, job in self.jobs.items():
                if job.get("stage", "test") != stage:
                    continue
                for more in self.copies(job):
                    yield name, more.get("CI_NODE_INDEX"), \
                        lambda n=name, j=job, m=more: self.run_job(n, j, m)


# ---- GitHub ----

class GitHub(Runner):
    def __init__(self, options, definition):
        super().__init__(options)
        self.env = definition.get("env", {})
        self.jobs = definition["jobs"]

    @staticmethod
    def expand(text, values):
        return re.sub(r"\$\{\{\s*([\w.]+)\s*\}\}", lambda m: str(values[m[1]]), str(text))

    def use(self, step, folder, values, caches):
        action = step["uses"].split("@")[0]
        words = {k: self.expand(v, values) for k, v in step.get("with", {}).items()}
        if action == "actions/checkout":
            # without a repository: the project, which is there
            if "repository" in words:
                subprocess.run(["git", "clone", "-q", "--depth", "1",
                                "file://" + self.options.repository,
                                os.path.join(folder, words["path"])], check=True)
        elif action == "actions/cache":
            cached = os.path.join(self.work, "caches", "github-" + words["key"])
            copy_paths([words["path"]], cached, folder)
            caches.append((words["path"], cached))
        elif action == "actions/upload-artifact":
            copy_paths([words["path"]], folder, os.path.join(self.work, "reports", words["name"]),
                       missing_ok=False)
        else:
            raise Failed("unknown action " + step["uses"])

    def run_job(self, name, job, values):
        folder = self.new_folder(name)
        caches = []
        for step in job["steps"]:
            if "uses" in step:
                self.use(step, folder, values, caches)
            else:
                self.shell([self.expand(step["run"], values)], folder, self.env)
        for path, cached in caches:
            copy_paths([path], folder, cached)
        shutil.rmtree(folder)

    def run(self):
        for name, job in self.jobs.items():
            values = {"env." + k: v for k, v in self.env.items()}
            for shard in job.get("strategy", {}).get("matrix", {}).get("shard", [None]):
                more = dict(values, **{"matrix.shard": shard})
                yield name, shard, lambda n=name, j=job, m=more: self.run_job(n, j, m)


def load(path, options):
    with open(path, encoding="utf-8") as file:
        definition = yaml.safe_load(file)
    return GitHub(options, definition) if "jobs" in definition else GitLab(options, definition)


def run_file(path, options, result):
    """All jobs, result(ok, name, why) for each."""
    for turn in ("first",) if options.once else ("first", "second"):
        for name, part, job in load(path, options).run():
            label = "%s: %s%s, %s run" % (os.path.basename(path), name,
                                         " %s" % part if part else "", turn)
            try:
                job()
                result(True, label, "")
            except (Failed, OSError, subprocess.CalledProcessError) as error:
                result(False, label, str(error))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("repository", "project", "work"):
        parser.add_argument("--" + name, required=True, metavar="DIR")
    parser.add_argument("--root", metavar="DIR")
    parser.add_argument("--once", action="store_true")
    parser.add_argument("files", nargs="+", metavar="FILE")
    options = parser.parse_args()
    options.repository = os.path.abspath(options.repository)
    os.makedirs(options.work, exist_ok=True)
    number = failed = 0

    def result(good, name, why):
        nonlocal number, failed
        number += 1
        failed += not good
        for line in why.split("\n") if why else ():
            print("# " + line)
        print("%sok %d %s" % ("" if good else "not ", number, name), flush=True)

    print("TAP version 13")
    for path in options.files:
        run_file(path, options, result)
    print("1..%d" % number)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
