// SPDX-License-Identifier: GPL-2.0

static struct sigaction old;

static int set_in_place(void)
{
	struct sigaction sa = {
		.sa_sigaction = handler,
		.sa_flags = SA_SIGINFO | SA_NODEFER,
	};

	return sigaction(SIGBUS, &sa, &old);
}

static int set_later(void)
{
	struct sigaction sa;

	sa.sa_flags = SA_SIGINFO;
	sa.sa_flags |= SA_NODEFER;
	if (sigaction(SIGBUS, &sa, &old))
		return -1;
	return 0;
}

static int other(void)
{
	struct sigaction sa = {
		.sa_handler = handler,
	};

	return sigaction(SIGINT, &sa, NULL);
}

static void put_back(void)
{
	sigaction(SIGBUS, &old, NULL);
}
