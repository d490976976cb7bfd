// SPDX-License-Identifier: GPL-2.0
//
// What a local variable holds after siglongjmp() is not known if it changed
// since sigsetjmp(): the function that calls it has none that is not volatile.
//
// Files: added

@jumps@
identifier f;
@@
f(...)
{
<+...
sigsetjmp(...)
...+>
}

@@
identifier jumps.f;
identifier v;
type T;
expression E;
@@
f(...)
{
<+...
(
  volatile T v;
|
  volatile T v = E;
|
* T v;
|
* T v = E;
)
...+>
}
