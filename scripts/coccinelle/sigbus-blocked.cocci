// SPDX-License-Identifier: GPL-2.0
//
// A handler that is left with siglongjmp(), without the signal mask being
// restored, needs SA_NODEFER: else SIGBUS stays blocked, and the next one kills.
//
// Files: added

// Not where the old action is put back.
@own@
identifier f, sa;
@@
f(...)
{
<+...
(
struct sigaction sa;
|
struct sigaction sa = { ... };
)
...+>
}

@sets@
identifier own.f, own.sa;
expression old;
position p;
@@
f(...)
{
<+...
sigaction(SIGBUS, &sa, old)@p
...+>
}

@good@
identifier own.f, own.sa;
@@
f(...)
{
<+...
(
struct sigaction sa = { ..., .sa_flags = <+... SA_NODEFER ...+>, ..., };
|
sa.sa_flags = <+... SA_NODEFER ...+>
|
sa.sa_flags |= <+... SA_NODEFER ...+>
)
...+>
}

@depends on !good@
identifier own.sa;
expression sets.old;
position sets.p;
@@
* sigaction(SIGBUS, &sa, old)@p
