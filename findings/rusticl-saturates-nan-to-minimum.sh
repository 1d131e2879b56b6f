#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
# A saturating conversion of NaN on rusticl is the smallest int.
#
# Version:  mesa-opencl-icd 22.3.6-1+deb12u2 of Debian bookworm (rusticl on llvmpipe), on x86-64
# Guess:    convert_int_sat() of NaN is 0, which OpenCL C asks of saturating conversions; the
#           plain conversion may have the processor's 0x80000000. What is right for infinities is
#           right for NaN.
# Really:   Infinities saturate, and NaN is -2147483648: of a buffer, of a difference, with _rte,
#           and of the literal NAN. Mesa 25.0.7 of trixie gives 0 for those that are computed, and
#           still the smallest int for the literal, so that one kernel has both. A mean over
#           nothing that is stored with a saturating conversion is the largest error there is, not
#           0.
# Seen:     2147483647 -2147483648 NaN: -2147483648 -2147483648 -2147483648 -2147483648

set -u
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 2

# with all that they need, none of which is installed
version=22.3.6-1+deb12u2
mkdir -p cache/archives/partial
apt-get -qq -y -o Dir::State::status=/dev/null -o Dir::Cache="$dir/cache" -o Debug::NoLocking=1 \
	-o APT::Sandbox::User=root -o APT::Install-Recommends=false --download-only install \
	"mesa-opencl-icd=$version" "libgl1-mesa-dri=$version" ocl-icd-libopencl1=2.3.1-1 \
	opencl-c-headers=3.0~2023.02.06-1 >apt.log 2>&1 || {
	cat apt.log >&2
	echo "Mesa $version or the loader cannot be had: the archive has it no longer, or" \
		"apt-get update" >&2
	exit 2
}
for package in cache/archives/*.deb; do
	dpkg-deb -x "$package" tree || exit 2
done

cat >saturate.c <<EOF
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <math.h>
#include <stdio.h>

static const char *text =
	"kernel void saturate(global int *o, global const float *f) {"
	"o[0] = convert_int_sat(f[0]); o[1] = convert_int_sat(f[1]); o[2] = convert_int_sat(f[2]);"
	"o[3] = convert_int_sat(NAN); o[4] = convert_int_sat_rte(f[2]);"
	"o[5] = convert_int_sat(f[2] - f[2]); }";

int main(void)
{
	float in[3] = { INFINITY, -INFINITY, NAN };
	size_t one = 1;
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_program program;
	cl_kernel kernel;
	cl_mem from, to;
	int o[6] = { 0 };

	if (clGetPlatformIDs(1, &platform, NULL) ||
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
		return 2;
	context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	queue = clCreateCommandQueue(context, device, 0, NULL);
	program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
	if (clBuildProgram(program, 1, &device, "", NULL, NULL))
		return 2;
	kernel = clCreateKernel(program, "saturate", NULL);
	from = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(in), in, NULL);
	to = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(o), o, NULL);
	clSetKernelArg(kernel, 0, sizeof(to), &to);
	clSetKernelArg(kernel, 1, sizeof(from), &from);
	if (clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL) ||
	    clEnqueueReadBuffer(queue, to, CL_TRUE, 0, sizeof(o), o, 0, NULL, NULL))
		return 2;
	printf("%d %d NaN: %d %d %d %d\\n", o[0], o[1], o[2], o[3], o[4], o[5]);
	return 0;
}
EOF
library=$(echo tree/usr/lib/*-linux-gnu)
gcc -idirafter tree/usr/include saturate.c -o tree/saturate -L"$library" \
	-Wl,--unresolved-symbols=ignore-in-shared-libs -l:libOpenCL.so.1 || exit 2

# its libraries have absolute paths in them
got=$(RUSTICL_ENABLE=llvmpipe OCL_ICD_VENDORS=/etc/OpenCL/vendors/rusticl.icd \
	unshare -r chroot tree /saturate) || {
	echo "the kernel does not run (chroot in a user namespace?)" >&2
	exit 2
}
echo "$got"
smallest=-2147483648
[ "$got" = "2147483647 $smallest NaN: $smallest $smallest $smallest $smallest" ]
