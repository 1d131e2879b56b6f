# SPDX-License-Identifier: MIT
"""Prints the folder of modules below a prefix that this Python searches.

usage: site_folder.py PREFIX
"""

import site
import sys

PREFIX = sys.argv[1].rstrip("/") + "/lib/"
OWN = PREFIX + "python%d.%d/site-packages" % sys.version_info[:2]

print(next((path for path in site.getsitepackages() if path.startswith(PREFIX)), OWN))
