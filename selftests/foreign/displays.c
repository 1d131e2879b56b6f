// SPDX-License-Identifier: GPL-2.0
/*
 * Opens a display, draws and closes the display, again and again, as a test runner or a service
 * does; beside it threads open and close the render node, and children draw on a display of their
 * own.
 *
 *   displays ROUNDS [THREADS [CHILDREN]]
 *
 * Prints what went wrong, or the renderer of all rounds. Exit status: 1 if another renderer than
 * that of the first round drew, a pixel is wrong, or a call fails.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl3.h>

#define SIZE	16
#define NODE	"/dev/dri/renderD128"

static EGLDisplay display;
static EGLContext context;
static atomic_bool ended;
static atomic_uint opened, refused;

static int complain(const char *what)
{
	printf("%s: 0x%x\n", what, eglGetError());
	return -1;
}

static int begin(void)
{
	static const EGLint want[] = { EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, EGL_NONE };
	static const EGLint version[] = { EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE };
	EGLConfig config = EGL_NO_CONFIG_KHR;
	EGLint n = 0;

	display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
	if (!eglInitialize(display, NULL, NULL))
		return complain("eglInitialize");
	eglBindAPI(EGL_OPENGL_ES_API);
	eglChooseConfig(display, want, &config, 1, &n);
	context = eglCreateContext(display, n ? config : EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT,
				   version);
	if (!context || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
		return complain("context");
	return 0;
}

static void end(void)
{
	eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
	eglDestroyContext(display, context);
	eglTerminate(display);
	eglReleaseThread();
}

/* Colours differ from round to round. */
static int draw(unsigned int round)
{
	const unsigned char want[4] = { round & 255, round >> 8 & 255, 51, 255 };
	unsigned char got[4] = { };
	GLuint texture, target;

	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
	glGenFramebuffers(1, &target);
	glBindFramebuffer(GL_FRAMEBUFFER, target);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
	glViewport(0, 0, SIZE, SIZE);
	glClearColor(want[0] / 255.0f, want[1] / 255.0f, want[2] / 255.0f, 1);
	glClear(GL_COLOR_BUFFER_BIT);
	glReadPixels(SIZE / 2, SIZE / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, got);
	if (!memcmp(got, want, sizeof(got)))
		return 0;
	printf("round %u: %u %u %u %u\n", round, got[0], got[1], got[2], got[3]);
	return -1;
}

static int rounds(unsigned int n, char *renderer, size_t size)
{
	const char *name;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < n && !ret; i++) {
		if (begin())
			return -1;
		name = (const char *)glGetString(GL_RENDERER);
		if (!i)
			snprintf(renderer, size, "%s", name);
		if (strcmp(name, renderer)) {
			printf("round %u: %s\n", i, name);
			ret = -1;
		}
		if (draw(i))
			ret = -1;
		end();
	}
	return ret;
}

static void *open_and_close(void *unused)
{
	int fd;

	do {
		fd = open(NODE, O_RDWR | O_CLOEXEC);
		if (fd >= 0)
			close(fd);
		atomic_fetch_add(fd >= 0 ? &opened : &refused, 1);
	} while (!atomic_load(&ended));
	return unused;
}

/* Children of a process that has drawn: they open displays of their own. */
static int children(unsigned int n, const char *renderer)
{
	char own[80];
	unsigned int i;
	int status, bad = 0;
	pid_t pid;

	for (i = 0; i < n; i++) {
		fflush(stdout);
		pid = fork();
		if (!pid) {
			status = rounds(2, own, sizeof(own)) || strcmp(own, renderer);
			fflush(stdout);
			_exit(status);
		}
		if (pid < 0 || waitpid(pid, &status, 0) != pid || status) {
			printf("child %u: status 0x%x\n", i, status);
			bad = -1;
		}
	}
	return bad;
}

int main(int argc, char **argv)
{
	unsigned int n = argc > 1 ? atoi(argv[1]) : 1, threads = argc > 2 ? atoi(argv[2]) : 0, i;
	char renderer[80] = "";
	pthread_t thread[16];
	int ret = 0;

	if (threads > 16)
		return 2;
	/* before threads, as what a child of several threads may call is little */
	if (argc > 3)
		ret |= rounds(1, renderer, sizeof(renderer)) | children(atoi(argv[3]), renderer);
	for (i = 0; i < threads; i++)
		pthread_create(&thread[i], NULL, open_and_close, NULL);
	ret |= rounds(n, renderer, sizeof(renderer));
	atomic_store(&ended, true);
	for (i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	printf("%s: %u rounds, %u opens beside, %u refused\n", renderer, n, atomic_load(&opened),
	       atomic_load(&refused));
	return ret || atomic_load(&refused) ? 1 : 0;
}
