# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Sphinx configuration; run through "make docs".
project = "vshader"
author = "vshader developers"
version = release = "1.0"
extensions = []
master_doc = "index"
exclude_patterns = ["man"]
html_theme = "alabaster"
highlight_language = "none"
