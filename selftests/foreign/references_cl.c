// SPDX-License-Identifier: GPL-2.0
/* As references_gl.c, for the first device of the first platform of OpenCL. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "references.h"

static const char *text =
	"kernel void single(global uint *o, global const float *f) {\n"
	"int minus7 = (int)(f[14]) + 1, three = (int)(f[4]) + 2;\n"
	"o[0] = (int)f[0]; o[1] = (int)f[1]; o[2] = (uint)f[2];\n"
	"o[3] = convert_int_sat(f[0]); o[4] = convert_int_sat(f[1]);\n"
	"o[5] = convert_int_rte(f[6]); o[6] = convert_int_rtp(f[6]); o[7] = convert_int(f[6]);\n"
	"o[8] = as_uint(pow(f[3], f[3])); o[9] = as_uint(pown(f[1], 0));\n"
	"o[10] = as_uint(fmin(f[4], f[1])); o[11] = as_uint(fmin(f[1], f[4]));\n"
	"o[12] = as_uint(f[8] * f[9]); o[13] = as_uint(fma(f[11], f[11], f[12]));\n"
	"o[14] = as_uint(f[11] * f[11] + f[12]); o[15] = as_uint(mad(f[11], f[11], f[12]));\n"
	"o[16] = as_uint(f[1] * 0.0f); o[17] = as_uint(f[13] + 0.0f);\n"
	"o[18] = as_uint(atan2(f[3], f[3])); o[19] = as_uint(atan2(f[3], f[13]));\n"
	"o[20] = as_uint(atan2(f[13], f[3])); o[21] = minus7 % three; o[22] = -minus7 % -three;\n"
	"o[23] = 1 << (three + 30); o[24] = as_int(minus7 - 1) >> (three + 30);\n"
	"o[25] = as_uint(round(f[6])); o[26] = as_uint(rint(f[6]));\n"
	"global half *h = (global half *)(o + 60); float whole;\n"
	"vstore_half(f[4] + 3.0f / 2048, 0, h); vstore_half(f[15], 1, h);\n"
	"vstore_half_rtz(f[15], 2, h); o[27] = as_uint(vload_half(0, h));\n"
	"o[28] = as_uint(vload_half(1, h)); o[29] = as_uint(vload_half(2, h));\n"
	"o[30] = as_uint(fract(f[2] * 1e-10f, &whole)); o[31] = clz(minus7 + 7);\n"
	"o[32] = as_uint(fmod(f[1] == f[1] ? 0 : 1e30f, 3.0f)); }\n"
	"kernel void many(global uint *o, global const float *f) {\n"
	"size_t n = get_global_id(0); const size_t p = 4096;\n"
	"o[n] = as_uint(1.0f / f[n]); o[n + p] = as_uint(rsqrt(f[n + p]));\n"
	"o[n + 2 * p] = as_uint(sqrt(f[n + 2 * p])); o[n + 3 * p] = as_uint(exp2(f[n + 3 * p]));\n"
	"o[n + 4 * p] = as_uint(log2(f[n + 4 * p])); o[n + 5 * p] = as_uint(sin(f[n + 5 * p]));\n"
	"o[n + 6 * p] = as_uint(atan(f[n + 6 * p]));\n"
	"o[n + 7 * p] = as_uint(native_sin(f[n + 7 * p]));\n"
	"}\n";

static const struct single singles[] = {
	{ "cl-float-to-int", 0, 3, 1 }, { "cl-convert-sat", 3, 2, 1 },
	{ "cl-convert-modes", 5, 3, 1 },
	{ "cl-pow-0-0", 8, 2, 0 }, { "cl-fmin-nan", 10, 2, 0 }, { "cl-denormal-product", 12, 1, 0 },
	{ "cl-fma", 13, 1, 0 }, { "cl-mul-add", 14, 1, 0 }, { "cl-mad", 15, 1, 0 },
	{ "cl-nan-times-literal-0", 16, 1, 0 }, { "cl-minus-0-plus-0", 17, 1, 0 },
	{ "cl-atan2-0-0", 18, 3, 0 }, { "cl-remainder", 21, 2, 1 }, { "cl-shift-33", 23, 2, 1 },
	{ "cl-round-half", 25, 2, 0 }, { "cl-half-store", 27, 3, 0 }, { "cl-fract-tiny", 30, 1, 0 },
	{ "cl-clz-0", 31, 1, 1 }, { "cl-fmod-1e30", 32, 1, 0 },
};

static const struct function functions[] = {
	{ "cl-error-reciprocal", reciprocal_of, 1, 2 }, { "cl-error-rsqrt", rsqrt_of, 1, 4 },
	{ "cl-error-sqrt", sqrt, 1, 4 }, { "cl-error-exp2", exp2, -4, 4 },
	{ "cl-error-log2", log2, 2, 64 }, { "cl-error-sin", sin, 0.1f, 3 },
	{ "cl-error-atan", atan, 0.1f, 4 }, { "cl-error-native-sin", sin, 0.1f, 3 },
};

#define COUNT(array) ((int)(sizeof(array) / sizeof(*(array))))
#define OK(call) do { int result_ = (call); if (result_) fail(#call, result_); } while (0)
#define MANY (POINTS * COUNT(functions))

int main(void)
{
	static unsigned int out[MANY];
	static float in[MANY];
	size_t one = 1, points = POINTS;
	cl_device_id device;
	cl_platform_id platform;
	cl_context context;
	cl_command_queue queue;
	cl_program program;
	cl_kernel kernel;
	cl_mem from, to;
	char name[200];
	int k, n, error;

	OK(clGetPlatformIDs(1, &platform, NULL));
	OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
	OK(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof(name), name, NULL));
	printf("renderer|%s\n", name);
	OK(clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof(name), name, NULL));
	printf("version|Mesa %s\n", name);
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
	OK(error);
	queue = clCreateCommandQueue(context, device, 0, &error);
	OK(error);
	program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
	OK(error);
	if (clBuildProgram(program, 1, &device, "", NULL, NULL)) {
		static char log[10000];

		clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log), log,
				      NULL);
		fprintf(stderr, "%s\n", log);
		return 2;
	}
	to = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(out), NULL, &error);
	OK(error);
	from = clCreateBuffer(context, CL_MEM_READ_ONLY, sizeof(in), NULL, &error);
	OK(error);
	memcpy(in, inputs, sizeof(inputs));
	for (k = 0; k < 2; k++) {
		kernel = clCreateKernel(program, k ? "many" : "single", &error);
		OK(error);
		OK(clEnqueueWriteBuffer(queue, from, CL_TRUE, 0, sizeof(in), in, 0, NULL, NULL));
		OK(clSetKernelArg(kernel, 0, sizeof(to), &to));
		OK(clSetKernelArg(kernel, 1, sizeof(from), &from));
		OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, k ? &points : &one, NULL, 0, NULL,
					  NULL));
		OK(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, sizeof(out), out, 0, NULL, NULL));
		if (!k) {
			for (n = 0; n < COUNT(singles); n++)
				print_single(&singles[n], out);
			for (n = 0; n < MANY; n++)
				in[n] = argument(&functions[n / POINTS], n % POINTS);
		}
	}
	for (k = 0; k < COUNT(functions); k++)
		print_error(&functions[k], out + POINTS * k);
	return 0;
}
