/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * path.bpf.h: the part of the run-time library that splits and cleans paths.
 */

/* Positions of the last component of a path, and the end of the one before it. */
struct components {
	struct str *s;
	struct cell start, end, before; /* start.flag: the last character was no slash */
};

static long component_at(u32 i, struct components *p)
{
	u64 c = char_at(p->s, i);

	if (!c)
		return 1;
	if (c == '/') {
		p->start.flag = 0;
		return 0;
	}
	if (!p->start.flag) {
		p->before.v = p->end.v;
		p->start.v = i;
	}
	p->start.flag = 1;
	p->end.v = i + 1;
	return 0;
}

RT u64 rt_basename(struct str *dst, struct str *src)
{
	struct components p;

	if (!dst || !src)
		return 0;
	START(p);
	p.s = src;
	loop(ENDLESS, component_at, &p, 0);
	if (!p.end.v)
		return one_char(dst, src->b[0] ? '/' : '.');
	return cut(dst, src, p.start.v, p.end.v);
}

RT u64 rt_dirname(struct str *dst, struct str *src)
{
	struct components p;

	if (!dst || !src)
		return 0;
	START(p);
	p.s = src;
	loop(ENDLESS, component_at, &p, 0);
	if (p.before.v)
		return cut(dst, src, 0, p.before.v);
	return one_char(dst, src->b[0] == '/' ? '/' : '.');
}

struct clean {
	struct str *dst, *src;
	struct cell in, out; /* out.flag: going back to the slash before a component */
};

static long clean_step(u32 i, struct clean *p)
{
	u64 in = p->in.v, out = p->out.v, c = char_at(p->src, in);

	if (p->out.flag) {
		out--;
		p->out.v = out;
		p->out.flag = out && out < strsize() && p->dst->b[out] != '/';
		return 0;
	}
	if (c == '/') {
		u64 x = char_at(p->src, in + 1), y = char_at(p->src, in + 2);

		if (x == '/' || (x == '.' && y == '/')) {
			p->in.v = in + (x == '/' ? 1 : 2);
			return 0;
		}
		if (x == '.' && y == '.') {
			u64 z = char_at(p->src, in + 3);

			if (z == '/' || !z) {
				p->in.v = in + 3;
				p->out.flag = out > 0;
				return 0;
			}
		}
	}
	if (out >= strsize())
		return 1;
	/* An absolute path whose components all cancel is the root. */
	if (!c && in && !out) {
		p->dst->b[0] = '/';
		p->out.v = 1;
		return 0;
	}
	p->dst->b[out] = (char)c;
	p->in.v = in + 1;
	p->out.v = out + 1;
	return !c;
}

/*
 * Copies a path without // and /./, and without components that /../, or /.. at the end, cancels.
 */
RT u64 rt_cleanpath(struct str *dst, struct str *src)
{
	struct clean p;

	if (!dst || !src)
		return 0;
	START(p);
	p.dst = dst;
	p.src = src;
	loop(ENDLESS, clean_step, &p, 0);
	return 0;
}

enum { BELOW_DIRECTORY, BELOW_SLASH, BELOW_NAME };

struct below {
	struct str *dst, *src;
	struct cell in,
	    out; /* in.state: searching the end of the directory; between names; in a name */
};

ALWAYS_INLINE long below_put(struct below *p, u64 c)
{
	u64 out = forget(&p->out, p->out.v);

	if (out >= strsize())
		return 1;
	p->dst->b[out] = (char)c;
	p->out.v = out + 1;
	return 0;
}

static long below_step(u32 i, struct below *p)
{
	u64 in = p->in.v, c, next;

	if (p->in.state == BELOW_DIRECTORY) {
		if (char_at(p->dst, p->out.v)) {
			p->out.v++;
			return 0;
		}
		/* The root already ends with a slash. */
		if (p->out.v == 1)
			p->out.v = 0;
		p->in.state = BELOW_SLASH;
		return 0;
	}
	c = char_at(p->src, in);
	next = char_at(p->src, in + 1);
	if (!c)
		return 1;
	if (p->in.state == BELOW_NAME) {
		p->in.v = in + (c != '/');
		if (c != '/')
			return below_put(p, c);
		p->in.state = BELOW_SLASH;
		return 0;
	}
	if (c == '/' || (c == '.' && (next == '/' || !next))) {
		p->in.v = in + 1;
		return 0;
	}
	p->in.state = BELOW_NAME;
	return below_put(p, '/');
}

/*
 * Replaces the directory in dst by the path in src, which is relative to it unless it is absolute.
 * Drops empty names and ".".  Returns 0 for a relative path without a directory.
 */
RT u64 rt_below(struct str *dst, struct str *src)
{
	struct below p;
	u64 end;

	if (!dst || !src)
		return 0;
	START(p);
	p.dst = dst;
	p.src = src;
	if (src->b[0] == '/')
		p.in.state = BELOW_SLASH;
	else if (!dst->b[0])
		return 0;
	loop(ENDLESS, below_step, &p, 0);
	if (!p.out.v)
		return one_char(dst, '/');
	end = forget(&p.out, p.out.v);
	if (end >= strsize())
		end = strsize() - 1;
	dst->b[end] = 0;
	return 1;
}
