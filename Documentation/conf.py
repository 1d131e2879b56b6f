# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Sphinx configuration; run through "make docs".
import re

project = "vshader"
author = "vshader developers"
with open("VERSION", encoding="ascii") as file:
    version = release = file.read().strip()
extensions = []
master_doc = "index"
exclude_patterns = ["man"]
html_theme = "alabaster"
html_theme_options = {"page_width": "1200px", "body_max_width": "none"}
html_static_path = ["static"]
html_css_files = ["wide.css"]
highlight_language = "none"


def add_lines(app, name, source):
    """In "``kernel/a.c``, ``f()``", add the line of the function to the file."""
    def line(found):
        with open("../" + found[1], encoding="utf-8") as code:
            text = code.read()
        at = re.search(r"^(?!\s)[^;\n]*\b%s\(" % found[2], text, re.M).start()
        return "``%s:%d``, ``%s()``" % (found[1], text.count("\n", 0, at) + 1, found[2])

    source[0] = re.sub(r"``(kernel/[\w/]+\.c)``, ``(\w+)\(\)``", line, source[0])


def setup(app):
    app.connect("source-read", add_lines)
