// SPDX-License-Identifier: GPL-2.0
/*
 * Job files: parsing, without opening the files that they name.
 */
#include "fuzz.h"

#include "jobfile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct vshader_jobfile *jf = NULL;
	char err[256];
	int ret;

	memset(err, 0x55, sizeof(err));
	ret = vshader_jobfile_parse((const char *)data, size, "fuzz.json",
				    VSHADER_JOBFILE_NO_FILES, &jf, err, sizeof(err));
	if (ret) {
		MUST(ret == -22 || ret == -12);
		MUST(memchr(err, 0, sizeof(err)) && err[0]);
		return 0;
	}
	MUST(jf);
	vshader_jobfile_free(jf);
	return 0;
}
