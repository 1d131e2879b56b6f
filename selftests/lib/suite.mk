# SPDX-License-Identifier: GPL-2.0
# The library, job files, the command; DEVICE= repeats the interface's tests on a device.
JOB_FILES := $(SRC)/jobs
test_jobfile_ARGS := $(SRC)/lib/data
test_busy_ARGS := $(SRC)/lib/data/busy.json

# A program that knows nothing of the library. A sanitizer's library has to be the first of a
# process: nothing is preloaded then.
lib_OTHER := $(addprefix $(SRC)/lib/,vcio_prog.c v3d_prog.c gl_prog.c qemu_stub.c gx_prog.c gl_raw.c)
VCIO := $(if $(filter 1,$(SAN)),,$(OUT)/bin/lib/vcio_prog)
V3D := $(VCIO:%vcio_prog=%v3d_prog)
# There is no "vshader gl" without the kernel's header.
GL_PROG := $(if $(filter 1,$(SAN)),,$(if $(KHDR),$(OUT)/bin/lib/gl_prog))
# The tests of the lima personality, which "vshader gl" passes, too.
GL_LIMA := $(if $(GL_PROG),$(OUT)/bin/lib/gl_lima)
GL_VC4 := $(if $(GL_PROG),$(OUT)/bin/lib/gl_vc4)
QEMU_STUB := $(if $(filter 1,$(SAN)),,$(OUT)/bin/lib/qemu_stub)
# A program for the 3DS.
GX_PROG := $(OUT)/bin/lib/gx_prog
GL_DMABUF := $(if $(GL_PROG),$(OUT)/bin/lib/gl_dmabuf)
GL_NODE := $(if $(GL_PROG),$(OUT)/bin/lib/gl_node)
GL_RAW := $(if $(GL_PROG),$(OUT)/bin/lib/gl_raw $(OUT)/bin/lib/gl_static)
GL_PRIMARY := $(if $(GL_PROG),$(OUT)/bin/lib/gl_primary)
GL_ORDER := $(if $(GL_PROG),$(OUT)/bin/lib/gl_order)
lib_BUILT := $(VCIO) $(V3D) $(GL_PROG) $(GL_LIMA) $(GL_VC4) $(GL_DMABUF) $(GL_NODE) $(GL_PRIMARY) $(GL_ORDER) $(GL_RAW) $(QEMU_STUB) $(GX_PROG)
$(OUT)/obj/lib/gx_prog.o: private INCLUDES += -I$(TOP)/userspace/libvshader_gx/include
$(GX_PROG): $(OUT)/obj/lib/gx_prog.o | project
	@mkdir -p $(@D)
	@$(CC) $(TEST_CFLAGS) $(CFLAGS) $(LDFLAGS) -Wl,-rpath,$(PROJECT)/lib $< -L$(PROJECT)/lib \
		-lvshader_gx -ldrm_vshader -lm -o $@

$(OUT)/bin/lib/vcio_prog: $(OUT)/obj/lib/vcio_prog.o
	@mkdir -p $(@D)
	@$(CC) $(TEST_CFLAGS) $(CFLAGS) $(LDFLAGS) $< -o $@

$(OUT)/bin/lib/v3d_prog: $(OUT)/obj/lib/v3d_prog.o
	@mkdir -p $(@D)
	@$(CC) $(TEST_CFLAGS) $(CFLAGS) $(LDFLAGS) $< -lpng -o $@

$(OUT)/bin/lib/qemu_stub: $(OUT)/obj/lib/qemu_stub.o
	@mkdir -p $(@D)
	@$(CC) $(TEST_CFLAGS) $(CFLAGS) $(LDFLAGS) -rdynamic $< -o $@

$(OUT)/obj/lib/gl_prog.o: private INCLUDES += -I$(PROJECT)/khdr
$(OUT)/obj/lib/gl_prog.o: | project
$(OUT)/bin/lib/gl_prog: $(OUT)/obj/lib/gl_prog.o
	@mkdir -p $(@D)
	@$(CC) $(TEST_CFLAGS) $(CFLAGS) $(LDFLAGS) $< $(LIBS) -o $@

$(OUT)/obj/lib/gl_raw.o: private INCLUDES += -I$(PROJECT)/khdr
$(OUT)/obj/lib/gl_raw.o: | project
$(OUT)/bin/lib/gl_raw: $(OUT)/obj/lib/gl_raw.o
	@mkdir -p $(@D)
	@$(CC) $(TEST_CFLAGS) $(CFLAGS) $(LDFLAGS) $< -lpthread -o $@
$(OUT)/bin/lib/gl_static: $(OUT)/obj/lib/gl_raw.o
	@mkdir -p $(@D)
	@$(CC) $(TEST_CFLAGS) $(CFLAGS) $(LDFLAGS) -static $< -lpthread -o $@

# The kernel tests of the interfaces that "vshader gl" has, each with its helpers.
gl_lima_HELPERS := vst_dump vst_lima
gl_vc4_HELPERS := vst_vc4
gl_dmabuf_HELPERS := vst_panfrost vst_mali vst_foreign
gl_primary_HELPERS := vst_foreign
gl_order_HELPERS := vst_foreign
gl_objs = $(patsubst %,$(OUT)/obj/drm/%.o,test_$(1:gl_%=%) vst vst_sync vst_programs $($(1)_HELPERS))
define gl_test
$(OUT)/bin/lib/$(1): $(call gl_objs,$(1))
	@mkdir -p $$(@D)
	@$$(CC) $$(TEST_CFLAGS) $$(CFLAGS) $$(LDFLAGS) $$^ $$(LIBS) -o $$@
endef
$(OUT)/obj/drm/%.o: private INCLUDES += -I$(PROJECT)/khdr
$(OUT)/obj/drm/%.o: private TEST_CFLAGS += -Wno-format-overflow
$(foreach t,gl_lima gl_vc4 gl_dmabuf gl_node gl_primary gl_order,$(eval $(call gl_objs,$(t)): | project)$(eval $(call gl_test,$(t))))

# The client library of editors, where "make check-dap" has installed it or by NODE_PATH.
NODE_MODULES := $(or $(NODE_PATH),$(or $(VSHADER_CACHE),$(HOME)/.cache/vshader)/dap/node_modules)
DAP_CLIENT := $(if $(shell command -v node),$(wildcard $(NODE_MODULES)/@vscode/debugadapter-testsupport))

# The library of a sanitizer's build is not loaded into Python.
PYTHON := $(if $(filter 1,$(SAN)),,PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$(TOP)/userspace/python \
	VSHADER=$(VSHADER) VSHADER_LIBDIR=$(PROJECT)/lib python3 $(SRC)/lib/test_python.py $(JOB_FILES))

# Its jobs do nothing but take processor time, a sanitizer's build three times as much.
PROGRESS := $(if $(filter 1,$(SAN)),,progress)

with_device := test_api test_exec test_qpu test_mali test_debug test_mailbox
lib_MORE := \
	$(if $(DEVICE),$(foreach t,$(with_device), \
		'lib/$(t)-on-device $(OUT)/bin/lib/$(t) $(DEVICE)')) \
	$(foreach t,cli debugger misuse output, \
		'lib/test_$(t).sh VSHADER=$(VSHADER) JOBS=$(JOB_FILES) $(if $(filter 1,$(SAN)),,CC=$(CC)) sh $(SRC)/lib/test_$(t).sh') \
	$(foreach t,dap diff tui dump record $(PROGRESS), \
		'lib/test_$(t).py python3 $(SRC)/lib/test_$(t).py $(VSHADER) $(JOB_FILES)') \
	$(if $(DAP_CLIENT), \
		'lib/test_dap_client.js NODE_PATH=$(NODE_MODULES) node $(SRC)/lib/test_dap_client.js $(VSHADER) $(JOB_FILES)') \
	$(if $(PYTHON),'lib/test_python.py $(PYTHON)' \
		$(if $(DEVICE),'lib/test_python.py-on-device $(PYTHON) $(DEVICE)') \
		'lib/test_python_page.sh TOP=$(TOP) PROJECT=$(PROJECT) KHDR=$(KHDR) CC=$(CC) \
			sh $(SRC)/lib/test_python_page.sh') \
	$(if $(shell command -v node), \
		'lib/test_vscode.js node $(SRC)/lib/test_vscode.js $(VSHADER) $(TOP)/contrib/editors/vscode') \
	$(if $(filter 1,$(SAN)),,'lib/test_readme.py python3 $(SRC)/lib/test_readme.py $(VSHADER) $(TOP)' \
		'lib/test_ci.py python3 $(SRC)/lib/test_ci.py $(VSHADER) $(TOP)' \
		'lib/test_gate.sh sh $(SRC)/lib/test_gate.sh $(TOP) $(PROJECT)' \
		'lib/test_check.py python3 $(SRC)/lib/test_check.py $(TOP)' \
		'lib/test_contain.py python3 $(SRC)/lib/test_contain.py $(TOP)' \
		'lib/test_build_module.sh sh $(SRC)/lib/test_build_module.sh $(TOP)' \
		'lib/test_archive.sh sh $(SRC)/lib/test_archive.sh $(TOP)' \
		'lib/test_release.sh sh $(SRC)/lib/test_release.sh $(TOP)' \
		'lib/test_modules_install.sh sh $(SRC)/lib/test_modules_install.sh $(TOP)' \
		'lib/test_folders.sh VSHADER=$(VSHADER) LIBRARY=$(if $(GL_PROG),$(PROJECT)/lib/libvshader_gl.so) CC=$(CC) \
			sh $(SRC)/lib/test_folders.sh $(TOP)') \
	'lib/gx_prog VSHADER_DEVICE=local $(GX_PROG)' \
	$(if $(DEVICE),'lib/gx_prog-on-device VSHADER_DEVICE=$(DEVICE) $(GX_PROG)') \
	'lib/test_gx.sh VSHADER=$(VSHADER) EXAMPLE=$(PROJECT)/bin/gx-cube PROGRAM=$(GX_PROG) \
		SHADER=$(TOP)/userspace/examples/gx_cube.pica sh $(SRC)/lib/test_gx.sh' \
	'lib/qpu-saxpy plain VSHADER_DEVICE=local $(PROJECT)/bin/qpu-saxpy' \
	$(if $(VCIO),'lib/test_vcio.sh LIB=$(PROJECT)/lib PROGRAM=$(VCIO) V3D=$(V3D) sh $(SRC)/lib/test_vcio.sh') \
	$(if $(QEMU_STUB),'lib/test_vm.sh VSHADER=$(VSHADER) LIB=$(PROJECT)/lib STUB=$(QEMU_STUB) sh $(SRC)/lib/test_vm.sh' \
		'lib/test_qemu.py python3 $(SRC)/lib/test_qemu.py $(PROJECT)/lib/libvshader_qemu.so') \
	$(if $(GL_PROG),'lib/test_gl.sh VSHADER=$(VSHADER) PROGRAM=$(GL_PROG) LIMA=$(GL_LIMA) VC4=$(GL_VC4) DMABUF=$(GL_DMABUF) NODE=$(GL_NODE) \
		PRIMARY=$(GL_PRIMARY) ORDER=$(GL_ORDER) RAW="$(GL_RAW)" TOP=$(TOP) CC=$(CC) KHDR=$(KHDR) QUICK=$(QUICK) sh $(SRC)/lib/test_gl.sh') \
	$(if $(filter 1,$(SAN)),,'lib/test_install.sh TOP=$(TOP) PROGRAM=$(GL_PROG) INSTALLER="$(MAKE) --no-print-directory \
		-C $(TOP)/userspace O=$(PROJECT) $(if $(KHDR),KHDR=$(KHDR)) install" sh $(SRC)/lib/test_install.sh') \
	'lib/test_captures.sh VSHADER=$(VSHADER) TOOL=$(TOP)/scripts/mali-capture CORPUS=$(CORPUS) \
		sh $(SRC)/lib/test_captures.sh' \
	'lib/test_lima_capture.py python3 $(SRC)/lib/test_lima_capture.py $(VSHADER) \
		$(TOP)/scripts/lima-capture' \
	'lib/test_frames.py python3 $(SRC)/lib/test_frames.py $(VSHADER) $(TOP)/scripts/mali-capture \
		$(CORPUS)' \
	'lib/test_utgard_jobs.sh VSHADER=$(VSHADER) TOOL=$(JOB_FILES)/make_utgard.py CORPUS=$(CORPUS) \
		sh $(SRC)/lib/test_utgard_jobs.sh' \
	'lib/test_schema.py python3 $(SRC)/lib/test_schema.py $(VSHADER) \
		$(TOP)/Documentation/job-file.schema.json $(JOB_FILES)/*/*.json' \
	'lib/job-files $(VSHADER) test --device local $(JOB_FILES)' \
	'lib/job-files-portable $(VSHADER) test --device local:workers=1$(COMMA)simd=portable $(JOB_FILES)'
