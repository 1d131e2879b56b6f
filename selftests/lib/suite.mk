# SPDX-License-Identifier: GPL-2.0
# The library, job files, the command; DEVICE= repeats the interface's tests on a device.
JOB_FILES := $(SRC)/jobs
test_jobfile_ARGS := $(SRC)/lib/data

# A program that knows nothing of the library. A sanitizer's library has to be the first of a
# process: nothing is preloaded then.
lib_OTHER := $(SRC)/lib/vcio_prog.c
VCIO := $(if $(filter 1,$(SAN)),,$(OUT)/bin/lib/vcio_prog)
lib_BUILT := $(VCIO)
$(OUT)/bin/lib/vcio_prog: $(OUT)/obj/lib/vcio_prog.o
	@mkdir -p $(@D)
	@$(CC) $(TEST_CFLAGS) $(CFLAGS) $(LDFLAGS) $< -o $@

with_device := test_api test_exec test_qpu test_mali test_debug test_mailbox
lib_MORE := \
	$(if $(DEVICE),$(foreach t,$(with_device), \
		'lib/$(t)-on-device $(OUT)/bin/lib/$(t) $(DEVICE)')) \
	$(foreach t,cli debugger misuse, \
		'lib/test_$(t).sh VSHADER=$(VSHADER) JOBS=$(JOB_FILES) sh $(SRC)/lib/test_$(t).sh') \
	$(foreach t,dap tui dump record, \
		'lib/test_$(t).py python3 $(SRC)/lib/test_$(t).py $(VSHADER) $(JOB_FILES)') \
	$(if $(shell command -v node), \
		'lib/test_dap_client.js node $(SRC)/lib/test_dap_client.js $(VSHADER) $(JOB_FILES)') \
	'lib/test_readme.py python3 $(SRC)/lib/test_readme.py $(VSHADER) $(TOP)' \
	'lib/test_ci.py python3 $(SRC)/lib/test_ci.py $(VSHADER) $(TOP)' \
	'lib/test_release.sh sh $(SRC)/lib/test_release.sh $(TOP)' \
	'lib/qpu-saxpy plain VSHADER_DEVICE=local $(PROJECT)/bin/qpu-saxpy' \
	$(if $(VCIO),'lib/test_vcio.sh LIB=$(PROJECT)/lib PROGRAM=$(VCIO) sh $(SRC)/lib/test_vcio.sh') \
	'lib/test_captures.sh VSHADER=$(VSHADER) TOOL=$(TOP)/scripts/mali-capture CORPUS=$(CORPUS) \
		sh $(SRC)/lib/test_captures.sh' \
	'lib/test_frames.py python3 $(SRC)/lib/test_frames.py $(VSHADER) $(TOP)/scripts/mali-capture \
		$(CORPUS)' \
	'lib/test_utgard_jobs.sh VSHADER=$(VSHADER) TOOL=$(JOB_FILES)/make_utgard.py CORPUS=$(CORPUS) \
		sh $(SRC)/lib/test_utgard_jobs.sh' \
	'lib/test_schema.py python3 $(SRC)/lib/test_schema.py $(VSHADER) \
		$(TOP)/Documentation/job-file.schema.json $(JOB_FILES)/*/*.json' \
	'lib/job-files $(VSHADER) test --device local $(JOB_FILES)' \
	'lib/job-files-portable $(VSHADER) test --device local:workers=1$(COMMA)simd=portable $(JOB_FILES)'
