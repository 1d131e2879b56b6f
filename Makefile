# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
# Everything is made below build/ and nothing in the source folders but the link vshader,
# the command; "make help" lists the targets.

MAKEFLAGS += --no-print-directory

FOLDERS := KDIR IGT PREFIX LIBDIR PRELOADDIR INCLUDEDIR \
	MANDIR COMPDIR ZSHDIR FISHDIR DATADIR PYTHONDIR
include scripts/folders.mk

VSHADER_BUILD ?= $(CURDIR)/build
VSHADER_CACHE ?= $(or $(XDG_CACHE_HOME),$(or $(HOME),$(VSHADER_BUILD))/.cache)/vshader
export VSHADER_BUILD VSHADER_CACHE

B := $(VSHADER_BUILD)
# ccache, if it is installed: see scripts/lib.sh
export PATH := $(addsuffix :,$(patsubst %/gcc,%,$(firstword $(wildcard \
	/usr/lib/ccache/gcc /usr/lib64/ccache/gcc))))$(PATH)
export CCACHE_BASEDIR := $(CURDIR)
export CCACHE_DIR ?= $(VSHADER_CACHE)/ccache
export CCACHE_MAXSIZE ?= 2G
export CCACHE_DEPEND := 1
JOBS := $(shell nproc)
SUB = +$(MAKE) $(if $(findstring j,$(firstword -$(MAKEFLAGS))),,-j$(JOBS))

# Which kernel the module is built for and the VM boots: 6.1, 6.1-old or 6.12;
# KDIR=DIR instead builds for any other kernel, by default for this machine's if it has headers.
ifeq ($(KERNEL),)
KDIR ?= $(realpath /lib/modules/$(shell uname -r)/build)
endif
KERNEL ?= 6.1
PREFIX ?= /usr/local
CORPUS ?=
SUITE ?=
FILTER ?=

all: module userspace

help:
	@sed -n 's/^#: //p' Makefile

#: Main targets
#:   make                the kernel module and the userspace parts
#:   make demo           install what is missing, build, boot a VM, run the demo jobs
#:   make check          all tests: userspace, and kernel tests in a VM
#:   make check SUITE=NAME... FILTER=TEXT...   some of the userspace tests, by folder and name
#:   make check-all      everything that can be tested here, some hours; RESUME=1 goes on where it ended
#:   make check-debug    kernel tests in a kernel with sanitizers, userspace tests with ASan/UBSan
#:   make mesa-demo      Debian's Mesa draws in an arm64 guest on the module as panfrost, lima, vc4; pictures
#:   make check-arm64    tests of arm64: userspace in qemu-user, kernel and Mesa's pictures in a guest
#:   make check-mesa     scenes of OpenGL ES by Debian's Mesa on Mali, in qemu-user
#:   make check-piglit   piglit's tests of OpenGL by Debian's Mesa, built here, on GPU=g52
#:   make check-drivers  the kernel's panfrost on register models; mistakes in it must be found
#:   make check-mutants  small mistakes put into panfrost and lima: which ones do the tests find?
#:                       DRIVER=panfrost|lima, N=200, SEED=1, ONLY=REGEX..., JOBS=2, SECONDS=
#:   make check-smp      kernel tests in an x86 kernel with sanitizers, several CPUs, preemption
#:   make check-matrix   builds for every kernel, kernel tests on 6.12 too
#:   make check-image    a Debian for arm64 from a disk image draws on register models in QEMU
#:   make check-long     like check, with longer random runs and fuzzing
#:   make fuzz-kernel    fuzz the ioctls in the User-Mode-Linux debug kernel, MINUTES=5
#:   make check-deb      the packages of make deb in a new Debian: installed, used, purged
#:   make check-ci       the steps of the CI files in contrib/ci to the end, in new Debians
#:   make check-clang    the module for a kernel that clang has built, tests of arithmetic by clang
#:   make check-tcg      tests of arithmetic on QEMU's emulation of x86
#:   make check-references  what other renderers compute, measured again, and the page on them
#:   make check-dap      the debug adapter with VS Code's client library, from npm
#:   make check-kselftest   the kernel tests built and run inside a kernel tree
#:   make check-igt      IGT's generic tests in that kernel, from IGT=DIR; DRIVER=panfrost|lima: and its own
#:                       on the kernel's driver
#:   make bench          the fixed workloads, in-process and through the ioctls
#:   make vm-shell       a shell in a VM with the module loaded
#:   make uml-shell      the same in the User-Mode-Linux debug kernel
#:   make docs           HTML documentation in build/docs
#:   make lint           licences, checkpatch, sparse, documentation
#:   make install        library, command and man pages to $(DESTDIR)$(PREFIX)
#:   make deb            packages for Debian in build/deb, checked by lintian
#:   make clean          remove what was built
#:   make distclean      the same, and what is in build/; "scripts/cache clean" removes the cache of all checkouts
#:
#: Parts
#:   make module         vshader.ko for KERNEL=6.1|6.1-old|6.12, or for KDIR=DIR; by default for
#:                       the running kernel if its headers are installed, else 6.1
#:   make modules-matrix vshader.ko for every supported kernel
#:   make modules_install KDIR=DIR   install the module for that kernel, below $(DESTDIR), and run depmod
#:   make userspace      library and command, in build/userspace
#:   make selftests      kernel tests, in build/selftests
#:   make stage          what the guests see: static command, kernel tests, job files
#:   make uml-kernels    the User-Mode-Linux kernels KIND="debug plain"; debug-6.12 is another one
#:   make deps           install what building and testing needs
#:
#: Variables (folders may be relative to where make runs)
#:   SUITE=, FILTER=     userspace tests of these folders of selftests/, tests whose name
#:                       contains one of the texts
#:   GPU=CHIP            of check-piglit: t760, t860, g31, g52, g71, g72, mali400, mali450, vc4
#:   CORPUS=DIR          also run the test cases of an external corpus
#:   KERNEL=, KDIR=      see module
#:   MINUTES=, SEED=     of fuzz-kernel; the seed is the time by default
#:   VSHADER_CACHE=DIR   keep downloads and test kernels there (default ~/.cache/vshader)
#:   VSHADER_ACCEL=tcg   do not try KVM
#:   VSHADER_SIMD="avx2" executors of x86 to build, of sse2, avx2 and avx512 (default: all)
#:   STATIC=1            a static command; DESTDIR, PREFIX, LIBDIR for install

# Headers of the kernel's user interface.
KHDR = KHDR="$$(scripts/kernel uapi 6.1)"

deps:
	@scripts/deps --install

module:
ifneq ($(KDIR),)
	@scripts/build-module --kdir custom $(KDIR)
else
	@scripts/build-module $(KERNEL)
endif

modules-matrix:
	@for k in 6.1 6.1-old 6.12; do \
		VSHADER_STRICT=1 scripts/build-module $$k || exit 1; \
	done

# The default kernel has its place in "make check".
check-matrix:
	@scripts/check matrix

# For a run a week: a Debian of its own, in emulation.
check-image:
	@scripts/check image

modules_install:
	@test -n "$(KDIR)" || { echo "modules_install needs KDIR=" >&2; exit 2; }
	@DESTDIR="$(DESTDIR)" INSTALL_MOD_PATH="$(INSTALL_MOD_PATH)" scripts/install-module $(KDIR)

# ONLY=command: without libraries that preload, examples and others
userspace:
	$(SUB) -C userspace O=$(B)/userspace $(KHDR) $(if $(STATIC),STATIC=1) $(if $(ONLY),$(B)/userspace/bin/vshader)
	@[ -n "$(STATIC)" ] || ln -sfn $(B:$(CURDIR)/%=%)/userspace/bin/vshader vshader

# the same objects: one after the other
userspace-static: userspace
	$(SUB) -C userspace O=$(B)/userspace $(KHDR) STATIC=1 $(if $(ONLY),$(B)/userspace/static/vshader)

selftests:
	$(SUB) -C selftests O=$(B)/selftests STATIC=1 $(KHDR)

# Userspace of arm64, for tests and for its guests.
userspace-arm64:
	+@scripts/arm64 make -C userspace O=$(B)/userspace-arm64 $(KHDR)
	+@scripts/arm64 make -C userspace O=$(B)/userspace-arm64 $(KHDR) STATIC=1

# What arm64 guests see: kernel tests.
stage-arm64:
	@mkdir -p $(B)/stage-arm64/module
	@$(MAKE) -C selftests O=$(B)/selftests-arm64 CC=aarch64-linux-gnu-gcc STATIC=1 $(KHDR) \
		install INSTALL_PATH=$(B)/stage-arm64/selftests

# What has not changed stays as it is, as a guest may be running from here.
copy_folder = diff -rq $(1) $(2) >/dev/null 2>&1 || { rm -rf $(2) $(2).new && cp -r $(1) $(2).new && mv $(2).new $(2); }

# What the guest of the demo sees.
stage-demo: userspace-static
	@mkdir -p $(B)/stage/bin $(B)/stage/module $(B)/stage/bifrost $(B)/stage/midgard
	@install -C -m 755 $(B)/userspace/static/vshader $(B)/stage/bin/
	@$(call copy_folder,selftests/jobs,$(B)/stage/jobs)
	@$(call copy_folder,selftests/bifrost/data,$(B)/stage/bifrost/data)
	@$(call copy_folder,selftests/midgard/data,$(B)/stage/midgard/data)
	@install -C -m 644 scripts/guest/demo.sh $(B)/stage/bin/

# What the other guests see: the tests, too.
stage: stage-demo selftests
	@mkdir -p $(B)/stage/selftests $(B)/stage/python/lib
	@$(MAKE) -C selftests O=$(B)/selftests STATIC=1 $(KHDR) \
		install INSTALL_PATH=$(B)/stage/selftests
	@install -C -m 644 scripts/guest/jobs.sh selftests/lib/test_debugger.sh \
		selftests/lib/test_record.sh selftests/lib/test_python.py \
		selftests/lib/test_gx_device.sh userspace/examples/gx_cube.pica $(B)/stage/bin/
	@$(MAKE) --no-print-directory -C selftests -f userspace.mk O=$(B)/selftests/user \
		PROJECT=$(B)/userspace $(KHDR) $(B)/selftests/user/bin/lib/gx_prog
	@install -C -m 755 $(B)/selftests/user/bin/lib/gx_prog $(B)/userspace/bin/gx-cube $(B)/stage/bin/
	@mkdir -p $(B)/stage/python/vshader
	@install -C -m 644 userspace/python/vshader/*.py $(B)/stage/python/vshader/
	@for lib in libdrm_vshader.so.1 libvshader_jobs.so libvshader_gx.so.1; do \
		[ $(B)/stage/python/lib/$$lib -nt $(B)/userspace/lib/$$lib ] || \
			install -s $(B)/userspace/lib/$$lib $(B)/stage/python/lib/; \
	done

# KIND="debug plain debug-6.12": those of them that are asked for
KIND ?= debug plain
uml-kernels:
	+@for kind in $(KIND); do scripts/uml build $$kind || exit 1; done

demo:
	@scripts/demo

check:
	@CORPUS="$(CORPUS)" SUITE="$(SUITE)" FILTER="$(FILTER)" \
		scripts/check $(if $(SUITE)$(FILTER),suite)

check-long:
	@CORPUS="$(CORPUS)" LONG=1 scripts/check

# RESUME=1: only what has not passed on this tree
check-all:
	@CORPUS="$(CORPUS)" scripts/check all $(if $(RESUME),--resume)

check-debug:
	@CORPUS="$(CORPUS)" scripts/check debug

mesa-demo:
	@scripts/mesa demo

check-arm64:
	@scripts/check arm64

check-mesa:
	@scripts/check mesa

GPU ?= g52
check-piglit:
	@GPU="$(GPU)" scripts/check piglit

check-drivers:
	@CORPUS="$(CORPUS)" scripts/check-drivers

check-mutants:
	@scripts/mutants $(DRIVER) $(if $(N),-n $(N)) $(if $(filter-out file,$(origin SEED)),--seed $(SEED)) \
		$(if $(ONLY),--only $(ONLY)) $(if $(JOBS),-j $(JOBS)) $(if $(SECONDS),--for $(SECONDS))

check-smp:
	@scripts/check smp

MINUTES ?= 5
SEED ?= $(shell date +%s)
fuzz-kernel:
	@scripts/fuzz-kernel run --seconds $$(($(MINUTES) * 60)) --seed $(SEED)

check-deb: deb
	@scripts/check deb

check-clang:
	@scripts/check clang

check-tcg:
	@scripts/check tcg

check-references:
	@scripts/check references

check-dap:
	@scripts/check dap

check-ci:
	@scripts/check ci

check-kselftest:
	@scripts/check kselftest

check-igt:
	@scripts/igt $(if $(IGT),--igt $(IGT)) $(if $(DRIVER),--driver $(DRIVER))

bench:
	@scripts/bench

vm-shell: stage
	@scripts/vm shell --kernel $(KERNEL)

uml-shell: stage
	@scripts/uml shell debug

docs:
	@scripts/deps docs >/dev/null 2>&1 || scripts/deps --install docs
	@mkdir -p $(B)/docs
	@$(MAKE) -C Documentation html O=$(B)/docs \
		KERNEL_DOC="$$(scripts/kernel headers 6.1)/scripts/kernel-doc"

lint:
	@scripts/check lint

install:
	$(SUB) -C userspace O=$(B)/userspace $(KHDR) PREFIX=$(PREFIX) DESTDIR=$(DESTDIR) install

deb:
	@scripts/deb build

clean:
	@rm -f vshader
	@[ ! -d $(B) ] || find $(B) -mindepth 1 -maxdepth 1 \
		! -path "$(VSHADER_CACHE)" -exec rm -rf {} +

distclean: clean
	rm -rf $(B)

.PHONY: all help deps module modules-matrix check-matrix check-image modules_install userspace \
	userspace-static selftests stage stage-demo uml-kernels demo check check-all check-long check-debug check-drivers check-mutants \
	check-arm64 check-mesa check-piglit check-smp mesa-demo stage-arm64 userspace-arm64 fuzz-kernel check-igt check-deb check-clang check-tcg check-references check-dap check-ci check-kselftest deb bench vm-shell uml-shell docs lint install clean distclean
