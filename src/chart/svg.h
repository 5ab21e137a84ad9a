/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * svg.h: common parts of SVG pictures.  A picture is a file of its own, or part of a page, which
 * has style and script for all of its pictures.
 *
 * Horizontal positions are percentages and vertical ones pixels.  All data is readable without the
 * script (web/picture.js), which makes the picture as wide as its window, and adds zoom, search,
 * other views and keys.
 */
#ifndef CHART_SVG_H
#define CHART_SVG_H

#include <stdbool.h>
#include <stddef.h>

struct buf;

/* Embedded files of src/chart/web/. */
extern const char web_picture_css[], web_stacks_js[], web_picture_js[], web_page_css[],
    web_page_js[];

/* Appends n bytes of text, escaped for XML and HTML, also between quotes. */
void svg_text(struct buf *b, const char *s, size_t n);
void svg_str(struct buf *b, const char *s);

/* Appends at most max characters; an ellipsis stands for the rest. */
void svg_short(struct buf *b, const char *s, size_t max);

#define SVG_WIDTH 1200 /* pixels, without the script */

/*
 * Begin and end a picture.  class is the kind of picture for the script (flame, heat).  about and
 * note are texts about the runs and about the picture, or NULL.  is_file: with heading, style and
 * script.
 */
struct svg {
	const char *class, *title, *about, *note;
	unsigned int height; /* pixels, without the heading of a file */
	bool is_file, is_flame;
};
void svg_begin(struct buf *b, const struct svg *s);
void svg_end(struct buf *b, const struct svg *s);

#endif
