// SPDX-License-Identifier: GPL-2.0
/*
 * Lets the tests in C record and judge with the functions of lib.sh, in a
 * directory that goes away with the test.
 *
 * Environment: SELFTESTS is where call-lib.sh stands, by default beside the
 * test; see lib.sh for the rest.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest.h"
#include "shlib.h"

static char here[PATH_MAX];
static char work[PATH_MAX];
static pid_t owner;

static int run(const char *const argv[])
{
	int status;
	pid_t pid;

	pid = fork();
	if (pid < 0)
		ksft_exit_fail_msg("fork: %s\n", strerror(errno));
	if (!pid) {
		execvp(argv[0], (char *const *)argv);
		fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
		_exit(127);
	}
	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			ksft_exit_fail_msg("waitpid: %s\n", strerror(errno));
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void remove_work(void)
{
	const char *const argv[] = { "rm", "-rf", "--", work, NULL };

	if (getpid() == owner)
		run(argv);
}

static void on_signal(int sig)
{
	exit(128 + sig);
}

/**
 * shlib_setup() - find the programs, make the directory
 *
 * Exits as skipped, with the reason, if perf cannot record here or has no
 * --out-pages. To be called before the plan is printed.
 */
void shlib_setup(void)
{
	const char *tmp = getenv("TMPDIR");
	ssize_t len;
	int ret;

	len = readlink("/proc/self/exe", here, sizeof(here) - 1);
	if (len < 0)
		ksft_exit_fail_msg("/proc/self/exe: %s\n", strerror(errno));
	here[len] = '\0';
	*strrchr(here, '/') = '\0';
	setenv("OUTPUT", here, 1);

	ret = shlib_call("setup", NULL);
	if (ret)
		exit(ret);

	snprintf(work, sizeof(work), "%s/perf-selftest.XXXXXX",
		 tmp ? tmp : "/tmp");
	if (!mkdtemp(work))
		ksft_exit_fail_msg("%s: %s\n", work, strerror(errno));
	owner = getpid();
	atexit(remove_work);
	signal(SIGHUP, on_signal);
	signal(SIGINT, on_signal);
	signal(SIGTERM, on_signal);
	setenv("OUT_PAGES_WORK", work, 1);
}

/**
 * shlib_file() - where a file of the test is
 * @name: without a directory
 *
 * Return: the path, in a buffer that the next call uses again.
 */
const char *shlib_file(const char *name)
{
	static char path[PATH_MAX + NAME_MAX];

	snprintf(path, sizeof(path), "%s/%s", work, name);
	return path;
}

/**
 * shlib_call() - call a function of lib.sh
 * @function: its name; arguments follow, and NULL. It runs in the test's
 *	directory. Among the arguments, "WORKLOAD" is the workload program.
 *
 * Return: 0 if it found nothing wrong; else it has said what.
 */
int shlib_call(const char *function, ...)
{
	const char *dir = getenv("SELFTESTS");
	char script[PATH_MAX + 16];
	const char *argv[32] = { script, function };
	unsigned int i = 2;
	va_list args;

	snprintf(script, sizeof(script), "%s/call-lib.sh", dir ? dir : here);
	va_start(args, function);
	while ((argv[i] = va_arg(args, const char *))) {
		if (++i == ARRAY_SIZE(argv))
			ksft_exit_fail_msg("%s: too many arguments\n",
					   function);
	}
	va_end(args);
	return run(argv);
}
