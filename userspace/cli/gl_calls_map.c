// SPDX-License-Identifier: MIT
/*
 * vshader gl --system-calls: mappings of buffers. Only the program can map memory into itself: the
 * mapping is made by ptrace, in the thread that wants it.
 */
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "gl_calls.h"

#ifdef GL_CALLS_ARCH

#if defined(__x86_64__)
#define INSN	2	/* bytes of the instruction that makes a system call */

static void set_call(struct user_regs_struct *r, uint64_t nr, const uint64_t *a)
{
	r->rax = nr;
	r->rdi = a[0];
	r->rsi = a[1];
	r->rdx = a[2];
	r->r10 = a[3];
	r->r8 = a[4];
	r->r9 = a[5];
	r->rip -= INSN;
	r->orig_rax = -1;
}

static uint64_t *result_of(struct user_regs_struct *r)
{
	return (uint64_t *)&r->rax;
}
#else
#define INSN	4

static void set_call(struct user_regs_struct *r, uint64_t nr, const uint64_t *a)
{
	unsigned int i;

	r->regs[8] = nr;
	for (i = 0; i < 6; i++)
		r->regs[i] = a[i];
	r->pc -= INSN;
}

static uint64_t *result_of(struct user_regs_struct *r)
{
	return (uint64_t *)&r->regs[0];
}
#endif

static bool get_regs(pid_t tid, struct user_regs_struct *r)
{
	struct iovec v = { r, sizeof(*r) };

	return !ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &v);
}

static bool set_regs(pid_t tid, struct user_regs_struct *r)
{
	struct iovec v = { r, sizeof(*r) };

	return !ptrace(PTRACE_SETREGSET, tid, NT_PRSTATUS, &v);
}

/* Wait for a stop. @signals: receives those that come meanwhile. Return: it is @stop. */
static bool wait_stop(pid_t tid, int stop, sigset_t *signals)
{
	int status, request = stop == SIGTRAP ? PTRACE_CONT : PTRACE_SYSCALL;

	for (;;) {
		if (waitpid(tid, &status, __WALL) != tid || !WIFSTOPPED(status))
			return false;
		if (stop == SIGTRAP ? status >> 16 == PTRACE_EVENT_STOP :
				      WSTOPSIG(status) == stop)
			return true;
		if (!(status >> 16))
			sigaddset(signals, WSTOPSIG(status));
		if (ptrace(request, tid, 0, 0))
			return false;
	}
}

/* A system call of a stopped thread. @r: its registers. Return: whether it was made. */
static bool make_call(pid_t tid, const struct user_regs_struct *r, uint64_t nr,
		      const uint64_t *args, sigset_t *signals, uint64_t *result)
{
	struct user_regs_struct at = *r;
	int i;

	set_call(&at, nr, args);
	if (!set_regs(tid, &at))
		return false;
	/* its beginning and its end */
	for (i = 0; i < 2; i++) {
		if (ptrace(PTRACE_SYSCALL, tid, 0, 0) || !wait_stop(tid, SIGTRAP | 0x80, signals))
			return false;
	}
	if (!get_regs(tid, &at))
		return false;
	*result = *result_of(&at);
	return true;
}

/* In the thread, which stops when the suspended call has returned: mmap() of @fd, and close(). */
static void map_in_thread(const struct gl_syscall *c, int fd)
{
	uint64_t map[6], end[6] = { fd }, value = -EIO, ignored;
	sigset_t signals;
	bool ok;
	struct user_regs_struct r;
	int i;

	sigemptyset(&signals);
	memcpy(map, c->data.args, sizeof(map));
	map[4] = fd;
	map[5] = 0;
	ok = wait_stop(c->tid, SIGTRAP, &signals) && get_regs(c->tid, &r) &&
	     make_call(c->tid, &r, SYS_mmap, map, &signals, &value) &&
	     make_call(c->tid, &r, SYS_close, end, &signals, &ignored);
	if (ok) {
		*result_of(&r) = value;
		set_regs(c->tid, &r);
	}
	ptrace(PTRACE_DETACH, c->tid, 0, 0);
	for (i = 1; i < _NSIG; i++) {
		if (sigismember(&signals, i) == 1)
			syscall(SYS_tkill, c->tid, i);
	}
}

int64_t gl_syscall_map(const struct gl_syscall *c)
{
	const uint64_t *a = (const uint64_t *)c->data.args;
	int fd = gl_syscall_get_fd(c, a[4]), memory, given;

	if (fd < 0)
		return GL_CONTINUE;
	if (!gl_syscall_is_node(fd)) {
		close(fd);
		return GL_CONTINUE;
	}
	memory = gl_library_memory(fd, a[5], a[2]);
	close(fd);
	if (memory < 0)
		return -EINVAL;
	given = gl_syscall_give_fd(c, memory, true);
	close(memory);
	if (given < 0)
		return given;
	if (ptrace(PTRACE_SEIZE, c->tid, 0, PTRACE_O_TRACESYSGOOD) ||
	    ptrace(PTRACE_INTERRUPT, c->tid, 0, 0)) {
		fail("mapping of a buffer: ptrace: %s", strerror(errno));
		return -EPERM;
	}
	gl_syscall_answer(c, -EINTR);
	map_in_thread(c, given);
	return GL_ANSWERED;
}

#endif
