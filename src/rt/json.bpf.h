/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * json.bpf.h: the part of the run-time library that searches in JSON texts.
 *
 * It makes one pass over the text, a character a step, and keeps its position in the text and in
 * the path.  It enters objects and arrays on the path.  It skips any other value by counting
 * brackets, without checking the contents.
 */

enum json_state {
	JSON_START,  /* before the document */
	JSON_INDEX,  /* in an array: reading the number in the path */
	JSON_KEY,    /* before a key */
	JSON_IN_KEY, /* comparing it with the path */
	JSON_COLON,
	JSON_VALUE, /* before a value */
	JSON_STRING,
	JSON_NEST, /* inside an object or array that is taken or skipped whole */
	JSON_NEST_STRING,
	JSON_NUMBER,
	JSON_WORD,
	JSON_COMMA, /* after a value */
	JSON_FOUND, /* the value is start.v to end.v */
	JSON_FAILED,
};

/* After a backslash; after \u, with four hexadecimal digits to come. */
enum json_escape { ESC_NONE, ESC_CHAR, ESC_HEX, ESC_HEX_LAST = ESC_HEX + 3 };

enum json_number { NUM_SIGN, NUM_INT, NUM_DOT, NUM_FRAC, NUM_E, NUM_E_SIGN, NUM_EXP };

struct json {
	struct str *s, *path;  /* path: elements with a dot after each but the last */
	u64 word;	       /* characters of a literal */
	struct cell in;	       /* position in s; flag: escape; state */
	struct cell path_at;   /* element of the path; flag: in an array */
	struct cell next;      /* after that element; flag: this value is wanted */
	struct cell key;       /* position in the path while comparing */
	struct cell start;     /* of the value; flag: number state */
	struct cell n, target; /* index of array elements; n.flag: this element differs already */
	struct cell depth, end;
	struct cell zero;
};

/*
 * Sets a member to a number that is always unknown to the verifier.  It would follow every
 * combination of members that are known to be 0.
 */
#define SET(j, member, value) ((j)->member = (value) + (j)->zero.v)

/* Enters an object or array. */
ALWAYS_INLINE void json_enter(struct json *j, u64 c)
{
	SET(j, path_at.flag, c == '[');
	j->key.v = j->path_at.v;
	SET(j, n.v, 0);
	SET(j, target.v, 0);
	SET(j, in.state, c == '[' ? JSON_INDEX : JSON_KEY);
}

/* Ends a value.  Its last character is before `end`. */
ALWAYS_INLINE long json_value_end(struct json *j, u64 end)
{
	if (!j->next.flag) {
		SET(j, in.state, JSON_COMMA);
		return 0;
	}
	j->end.v = end;
	SET(j, in.state, char_at(j->path, j->next.v) ? JSON_FAILED : JSON_FOUND);
	return 1;
}

ALWAYS_INLINE long json_index(struct json *j)
{
	u64 c = char_at(j->path, j->key.v);

	if (c >= '0' && c <= '9') {
		j->target.v = j->target.v * 10 + (c - '0');
		j->key.v++;
		return 0;
	}
	j->next.v = j->key.v;
	SET(j, in.state, JSON_VALUE);
	return (c && c != '.') || j->key.v == j->path_at.v;
}

ALWAYS_INLINE int json_is_hex(u64 c)
{
	return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'f');
}

/* Takes a character of a string.  Returns 1 at its end, 2 if it is no valid string. */
ALWAYS_INLINE int json_quote(struct json *j, u64 c)
{
	u64 esc = j->in.flag, next = ESC_NONE;

	if (!c || (esc >= ESC_HEX && !json_is_hex(c)))
		return 2;
	if (c == '"' && esc == ESC_NONE)
		return 1;
	if (esc == ESC_NONE && c == '\\')
		next = ESC_CHAR;
	if (esc == ESC_CHAR && c == 'u')
		next = ESC_HEX;
	if (esc >= ESC_HEX && esc < ESC_HEX_LAST)
		next = esc + 1;
	SET(j, in.flag, next);
	return 0;
}

ALWAYS_INLINE long json_key(struct json *j, u64 c)
{
	u64 want = char_at(j->path, j->key.v);
	int is = json_quote(j, c);

	if (is == 1) {
		j->next.v = j->key.v;
		SET(j, next.flag, !j->n.flag && (!want || want == '.'));
		SET(j, in.state, JSON_COLON);
	} else if (!want || want == '.' || c != want) {
		SET(j, n.flag, 1);
	} else {
		j->key.v++;
	}
	return is == 2;
}

ALWAYS_INLINE long json_value(struct json *j, u64 c)
{
	if (j->path_at.flag)
		SET(j, next.flag, j->n.v == j->target.v);
	j->start.v = j->in.v - 1;
	if (c == '{' || c == '[') {
		if (j->next.flag && char_at(j->path, j->next.v)) {
			j->path_at.v = j->next.v + 1;
			json_enter(j, c);
			return 0;
		}
		SET(j, depth.v, 1);
		SET(j, in.state, JSON_NEST);
	} else if (c == '"') {
		j->start.v++;
		SET(j, in.state, JSON_STRING);
	} else if (c == '-' || (c >= '0' && c <= '9')) {
		SET(j, start.flag, c == '-' ? NUM_SIGN : NUM_INT);
		SET(j, in.state, JSON_NUMBER);
	} else {
		j->word = c;
		SET(j, in.state, JSON_WORD);
		return c < 'a' || c > 'z';
	}
	return 0;
}

ALWAYS_INLINE long json_nest(struct json *j, u64 c)
{
	if (c == '"')
		SET(j, in.state, JSON_NEST_STRING);
	if (c == '{' || c == '[')
		j->depth.v++;
	if (c == '}' || c == ']')
		j->depth.v--;
	return j->depth.v ? 0 : json_value_end(j, j->in.v);
}

/* Takes a character of a number.  Returns 1 after its end, 2 if it is no number. */
ALWAYS_INLINE int json_number(struct json *j, u64 c)
{
	u64 n = j->start.flag, digit = c >= '0' && c <= '9', next = 0;

	if (digit)
		next = n <= NUM_INT ? NUM_INT : n <= NUM_FRAC ? NUM_FRAC : NUM_EXP;
	else if (c == '.' && n == NUM_INT)
		next = NUM_DOT;
	else if ((c | 32) == 'e' && (n == NUM_INT || n == NUM_FRAC))
		next = NUM_E;
	else if ((c == '+' || c == '-') && n == NUM_E)
		next = NUM_E_SIGN;
	SET(j, start.flag, next);
	if (next)
		return 0;
	if ((c | 32) >= 'a' && (c | 32) <= 'z')
		return 2;
	return n == NUM_INT || n == NUM_FRAC || n == NUM_EXP ? 1 : 2;
}

#define WORD4(a, b, c, d) ((u64)(a) << 24 | (b) << 16 | (c) << 8 | (d))

/* Takes a character of true, false or null.  Returns 1 after its end, 2 if it is none of them. */
ALWAYS_INLINE int json_word(struct json *j, u64 c)
{
	u64 w = j->word;

	if (c >= 'a' && c <= 'z') {
		j->word = w << 8 | c;
		return 0;
	}
	return w == WORD4('t', 'r', 'u', 'e') || w == WORD4('n', 'u', 'l', 'l') ||
		       w == (WORD4('f', 'a', 'l', 's') << 8 | 'e')
		   ? 1
		   : 2;
}

ALWAYS_INLINE long json_comma(struct json *j, u64 c)
{
	if (c != ',')
		return 1;
	j->n.v++;
	j->key.v = j->path_at.v;
	SET(j, in.state, j->path_at.flag ? JSON_VALUE : JSON_KEY);
	return 0;
}

ALWAYS_INLINE int json_is_blank(u64 c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Takes a character between tokens. */
ALWAYS_INLINE long json_between(struct json *j, u64 c)
{
	if (json_is_blank(c))
		return 0;
	switch (j->in.state) {
	case JSON_START:
		json_enter(j, c);
		return c != '{' && c != '[';
	case JSON_KEY:
		SET(j, in.state, JSON_IN_KEY);
		SET(j, n.flag, 0);
		return c != '"';
	case JSON_COLON:
		SET(j, in.state, JSON_VALUE);
		return c != ':';
	case JSON_VALUE:
		return json_value(j, c);
	default:
		return json_comma(j, c);
	}
}

/* Takes one character, or none in some steps.  Failures end in any state but JSON_FOUND. */
static long json_step(u32 i, struct json *j)
{
	u64 c = char_at(j->s, j->in.v);
	int end, is;

	if (j->in.state == JSON_INDEX)
		return json_index(j);
	j->in.v++;
	switch (j->in.state) {
	case JSON_NUMBER:
	case JSON_WORD:
		end = j->in.state == JSON_NUMBER ? json_number(j, c) : json_word(j, c);
		if (end)
			j->in.v--;
		return end == 2 || (end && json_value_end(j, j->in.v));
	case JSON_IN_KEY:
		return json_key(j, c);
	case JSON_STRING:
		is = json_quote(j, c);
		return is == 2 || (is && json_value_end(j, j->in.v - 1));
	case JSON_NEST:
		return !c || json_nest(j, c);
	case JSON_NEST_STRING:
		is = json_quote(j, c);
		if (is == 1)
			SET(j, in.state, JSON_NEST);
		return is == 2;
	default:
		return !c || json_between(j, c);
	}
}

struct json_path {
	struct str *dst, *src;
	struct cell out;
};

/* Converts a[1].b and [1].b to a.1.b and 1.b. */
static long json_path_at(u32 i, struct json_path *p)
{
	u64 c = char_at(p->src, i), out = p->out.v;

	if (c == ']' || (c == '[' && !i))
		return 0;
	if (out >= strsize())
		return 1;
	p->dst->b[out] = (char)(c == '[' ? '.' : c);
	p->out.v = out + 1;
	return !c;
}

/* Copies an element of a JSON text, or an empty text, to dst.  Returns 1 if the element exists. */
RT u64 rt_json(struct str *dst, struct str *s, struct str *path, struct str *tmp)
{
	struct json_path p;
	struct json j;

	if (!dst || !s || !path || !tmp)
		return 0;
	START(p);
	p.dst = tmp;
	p.src = path;
	loop(ENDLESS, json_path_at, &p, 0);
	START(j);
	j.s = s;
	j.path = tmp;
	loop(ENDLESS, json_step, &j, 0);
	dst->b[0] = 0;
	if (j.in.state != JSON_FOUND)
		return 0;
	cut(dst, s, j.start.v, j.end.v);
	return 1;
}
