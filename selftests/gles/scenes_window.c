// SPDX-License-Identifier: GPL-2.0
/*
 * A scene in a window without a screen (GBM): parts of a frame are drawn on what its buffer has
 * held. Other renderers draw it as a whole. Mesa's GBM crashes in eglSetDamageRegionKHR().
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include "gles.h"

#define ARGB8888	0x34325241	/* as in gbm.h, which the roots have not */
#define USE_RENDERING	4

/* Parts, pixels: a whole tile, and some of others. */
static const GLint parts[2][4] = { { 16, 32, 16, 16 }, { 37, 5, 9, 12 } };

/**
 * struct window - A window
 * @display: of GBM
 * @config: of @surface
 * @context: current while it is drawn
 * @surface: of EGL
 * @buffers: of GBM
 * @front: the buffer that was drawn last
 * @lock: gbm_surface_lock_front_buffer()
 * @release: gbm_surface_release_buffer()
 */
struct window {
	EGLDisplay display;
	EGLConfig config;
	EGLContext context;
	EGLSurface surface;
	void *buffers;
	void *front;
	void *(*lock)(void *buffers);
	void (*release)(void *buffers, void *buffer);
};

static bool choose(struct window *w)
{
	static const EGLint attrs[] = {
		EGL_SURFACE_TYPE, EGL_WINDOW_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, EGL_NONE
	};
	EGLConfig all[128];
	EGLint n = 0, i, id;

	if (!eglInitialize(w->display, NULL, NULL) ||
	    !eglChooseConfig(w->display, attrs, all, ARRAY_SIZE(all), &n))
		return false;
	for (i = 0; i < n; i++) {
		w->config = all[i];
		if (eglGetConfigAttrib(w->display, all[i], EGL_NATIVE_VISUAL_ID, &id) &&
		    id == ARGB8888)
			return true;
	}
	return false;
}

/* Return: false: there is no device, or no GBM. */
static bool open_window(struct window *w)
{
	static const EGLint attrs[] = { EGL_CONTEXT_MAJOR_VERSION, 2, EGL_NONE };
	void *lib = dlopen("libgbm.so.1", RTLD_NOW), *device;
	int fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
	void *(*create)(void *, uint32_t, uint32_t, uint32_t, uint32_t);
	void *(*create_device)(int);

	if (!lib || fd < 0)
		return false;
	create_device = dlsym(lib, "gbm_create_device");
	create = dlsym(lib, "gbm_surface_create");
	w->lock = dlsym(lib, "gbm_surface_lock_front_buffer");
	w->release = dlsym(lib, "gbm_surface_release_buffer");
	device = create_device ? create_device(fd) : NULL;
	if (!device || !create || !w->lock || !w->release)
		return false;
	w->display = eglGetPlatformDisplay(EGL_PLATFORM_GBM_MESA, device, NULL);
	if (!choose(w))
		return false;
	w->buffers = create(device, SIZE, SIZE, ARGB8888, USE_RENDERING);
	w->context = eglCreateContext(w->display, w->config, EGL_NO_CONTEXT, attrs);
	w->surface = eglCreatePlatformWindowSurface(w->display, w->config, w->buffers, NULL);
	return eglMakeCurrent(w->display, w->surface, w->surface, w->context);
}

static void swap(struct window *w)
{
	void *before = w->front;

	eglSwapBuffers(w->display, w->surface);
	w->front = w->lock(w->buffers);
	if (before)
		w->release(w->buffers, before);
}

static void clear(float r, float g, float b)
{
	glClearColor(r, g, b, 1);
	glClear(GL_COLOR_BUFFER_BIT);
}

static void draw_parts(void)
{
	unsigned int i;

	glEnable(GL_SCISSOR_TEST);
	for (i = 0; i < 2; i++) {
		glScissor(parts[i][0], parts[i][1], parts[i][2], parts[i][3]);
		draw_colour(-1, -1, 1, 1, 0, 0, i, 1, 1);
	}
	glDisable(GL_SCISSOR_TEST);
}

/* Two buffers take turns; the parts are drawn into the first one's second frame. */
static void draw_frames(struct window *w)
{
	EGLint age = 0;

	clear(0.5, 0, 0);
	swap(w);
	clear(0, 1, 0);
	swap(w);
	if (!eglQuerySurface(w->display, w->surface, EGL_BUFFER_AGE_EXT, &age) || age != 2)
		scene_fail("the age of the buffer is %d", age);
	draw_parts();
	glFinish();
}

static void window_parts(void)
{
	static uint32_t pixels[SIZE * SIZE], shown[SIZE * SIZE];
	struct window w = { 0 };
	unsigned int i;

	if (!renderer_is("400 450 T760 T860 G31 G52 G71 G72")) {
		clear(0.5, 0, 0);
		draw_parts();
		return;
	}
	if (!open_window(&w)) {
		scene_skip("window of GBM");
	} else {
		draw_frames(&w);
		glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
		for (i = 0; i < SIZE * SIZE; i++)
			shown[i] = pixels[SIZE * (SIZE - 1 - i / SIZE) + i % SIZE];
		show_words(shown, SIZE * SIZE);
	}
	scene_back();
}

const struct scene window_scenes[] = {
	{ "window_parts", window_parts },
	{ }
};
