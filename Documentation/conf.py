# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Sphinx configuration; run through "make docs".
project = "vshader"
author = "vshader developers"
with open("VERSION", encoding="ascii") as file:
    version = release = file.read().strip()
extensions = []
master_doc = "index"
exclude_patterns = ["man"]
html_theme = "alabaster"
highlight_language = "none"
