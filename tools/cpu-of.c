// SPDX-License-Identifier: GPL-2.0
/*
 * cpu-of: what a command costs, apart from the commands that it runs itself.
 *
 *   cpu-of FILE COMMAND [ARGUMENT]...
 *
 * runs COMMAND and writes a line of numbers, separated by commas, to FILE: its
 * process id, its exit status (128 + N for signal N), the time from its start
 * to its end in nanoseconds, the CPU time of all its threads in nanoseconds, of
 * its children not even those that it has waited for, and the largest memory it
 * has had resident in KiB. Ends as COMMAND does, and ends it when told to end or
 * after 10 minutes.
 *
 * getrusage() and time(1) add the children, and perf record's child is the load.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Seconds that no benchmark should take. */
#define LIMIT	600

static volatile pid_t child;

/* Time is up: told to end, and made to if it does not. */
static void on_alarm(int sig)
{
	static volatile sig_atomic_t told;

	(void)sig;
	if (child > 0)
		kill(child, told ? SIGKILL : SIGTERM);
	told = 1;
	alarm(10);
}

static void pass_on(int sig)
{
	if (child > 0)
		kill(child, sig);
}

static int fail(const char *what)
{
	fprintf(stderr, "cpu-of: %s: %s\n", what, strerror(errno));
	return 125;
}

static unsigned long long ns(clockid_t clock)
{
	struct timespec t = { 0 };

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* Wait until it has ended, but leave its process id and its clock in place. */
static int wait_for_end(pid_t pid)
{
	siginfo_t info;

	while (waitid(P_PID, pid, &info, WEXITED | WNOWAIT)) {
		if (errno != EINTR)
			return -1;
	}
	return 0;
}

static void start(char **argv)
{
	/* Even when nobody is left to pass a signal on. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	execvp(argv[0], argv);
	exit(fail(argv[0]) + 2);
}

int main(int argc, char **argv)
{
	struct sigaction sa = { .sa_handler = pass_on };
	unsigned long long wall, cpu;
	struct rusage usage;
	clockid_t clock;
	int status;
	pid_t pid;
	FILE *f;

	if (argc < 3) {
		fputs("usage: cpu-of FILE COMMAND [ARGUMENT]...\n", stderr);
		return 2;
	}
	f = fopen(argv[1], "we");
	if (!f)
		return fail(argv[1]);
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGHUP, &sa, NULL);
	sigaction(SIGALRM, &(struct sigaction){ .sa_handler = on_alarm }, NULL);
	alarm(LIMIT);

	wall = ns(CLOCK_MONOTONIC);
	pid = fork();
	if (pid < 0)
		/* cppcheck-suppress resourceLeak ; the end of the process closes f */
		return fail("fork");
	if (pid == 0)
		start(argv + 2);
	child = pid;
	if (wait_for_end(pid))
		return fail("waitid");
	wall = ns(CLOCK_MONOTONIC) - wall;
	if (clock_getcpuclockid(pid, &clock))
		return fail("clock_getcpuclockid");
	cpu = ns(clock);
	child = 0;
	if (wait4(pid, &status, 0, &usage) != pid)
		return fail("wait4");
	status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	fprintf(f, "%d,%d,%llu,%llu,%ld\n", pid, status, wall, cpu, usage.ru_maxrss);
	if (fclose(f))
		return fail(argv[1]);
	return status;
}
