/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * svg.h: what SVG pictures have in common.  A picture is a file of its own, or a part of a page,
 * which has style and script for all of its pictures.
 *
 * Positions to the right are percentages, those downwards pixels: a picture is as wide as there is
 * room.  All can be seen without the script (out/web/picture.js), which adds zoom, search and keys.
 */
#ifndef OUT_SVG_H
#define OUT_SVG_H

#include <stdbool.h>
#include <stddef.h>

struct buf;

/* Embedded files of src/out/web/. */
extern const char web_picture_css[], web_picture_js[], web_page_css[], web_page_js[];

/* n bytes of text as they have to stand in XML and HTML, also between quotes. */
void svg_text(struct buf *b, const char *s, size_t n);
void svg_str(struct buf *b, const char *s);

/* No more than so many characters of it; "..." stands for the rest. */
void svg_short(struct buf *b, const char *s, size_t max);

/* Pixels of the heading of a picture that is a file. */
#define SVG_HEAD 84

/*
 * The beginning: class is what the script makes of it (flame, heat), title its name, note one more
 * line, NULL without.  is_file: with heading, style and script.  Its end.
 */
struct svg {
	const char *class, *title, *note;
	unsigned int height; /* pixels, without the heading of a file */
	bool is_file;
};
void svg_begin(struct buf *b, const struct svg *s);
void svg_end(struct buf *b, const struct svg *s);

#endif
