// SPDX-License-Identifier: GPL-2.0

static struct sigaction old;

static int set_in_place(void)
{
	struct sigaction sa = {
		.sa_sigaction = handler,
		.sa_flags = SA_SIGINFO,
	};

	return sigaction(SIGBUS, &sa, &old);	/* match */
}

static int set_later(void)
{
	struct sigaction sa;

	sa.sa_flags = SA_SIGINFO | SA_RESTART;
	if (sigaction(SIGBUS, &sa, &old))	/* match */
		return -1;
	return 0;
}
