// SPDX-License-Identifier: GPL-2.0
//
// perf.data is written, and its position moved, through perf_data__*() and
// perf_data_file__*() alone: while the file is mapped, the offset of its
// descriptor is not where the data is, and what write(2) puts there is
// overwritten. So no system call on that descriptor elsewhere.
//
// Files: tools/perf/builtin-record.c tools/perf/util/data.c

@direct@
identifier f !~ "^perf_data(_file)?__";
identifier call =~ "^(write|writen|pwrite|writev|pwritev|lseek|lseek64|ftruncate|fallocate|posix_fallocate|sendfile|copy_file_range)$";
struct perf_data_file *pf;
struct perf_data *pd;
struct perf_data sd;
expression x, i;
@@
f(...)
{
<+...
(
* call(perf_data__fd(...), ...)
|
* call(pf->fd, ...)
|
* call(pd->file.fd, ...)
|
* call(sd.file.fd, ...)
|
* call(x->data.file.fd, ...)
|
* call(x->file->fd, ...)
|
* call(x->dir.files[i].fd, ...)
|
* call(x.dir.files[i].fd, ...)
)
...+>
}

// The same where the descriptor has got a name.
@named@
identifier f !~ "^perf_data(_file)?__";
identifier d;
struct perf_data_file *pf;
expression x;
@@
f(...)
{
<+...
(
  int d = perf_data__fd(...);
|
  int d = pf->fd;
|
  int d = x->file.fd;
|
  int d = x->data.file.fd;
|
  d = perf_data__fd(...);
|
  d = pf->fd;
|
  d = x->file.fd;
|
  d = x->data.file.fd;
)
...+>
}

@use@
identifier named.f, named.d;
identifier call =~ "^(write|writen|pwrite|writev|pwritev|lseek|lseek64|ftruncate|fallocate|posix_fallocate|sendfile|copy_file_range)$";
@@
f(...)
{
<+...
* call(d, ...)
...+>
}
