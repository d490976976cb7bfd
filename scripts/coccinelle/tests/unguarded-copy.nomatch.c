// SPDX-License-Identifier: GPL-2.0

static bool copy_guarded(struct mmap_output *out, size_t off, const void *buf, size_t size)
{
	memcpy(out->base + off, buf, size);
	return true;
}

static void other(struct mmap_output *out, struct mmap_output *from)
{
	memset(out, 0, sizeof(*out));
	memcpy(&out->pos, &from->pos, sizeof(out->pos));
}
