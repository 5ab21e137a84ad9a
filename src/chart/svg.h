/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * svg.h: common parts of SVG pictures.  A picture is a file of its own, or part of a page, which
 * has style and script for all of its pictures.
 *
 * Horizontal positions are percentages and vertical ones pixels, so a picture is as wide as its
 * window.  All data is readable without the script (out/web/picture.js), which adds zoom, search
 * and keys.
 */
#ifndef CHART_SVG_H
#define CHART_SVG_H

#include <stdbool.h>
#include <stddef.h>

struct buf;

/* Embedded files of src/chart/web/. */
extern const char web_picture_css[], web_picture_js[], web_page_css[], web_page_js[];

/* Appends n bytes of text, escaped for XML and HTML, also between quotes. */
void svg_text(struct buf *b, const char *s, size_t n);
void svg_str(struct buf *b, const char *s);

/* Appends at most max characters; "..." stands for the rest. */
void svg_short(struct buf *b, const char *s, size_t max);

/* Pixels of the heading that a picture has as a file. */
#define SVG_HEAD 84

/* Begin and end a picture.  class tells the script the kind of picture (flame, heat).  note is one
 * more line, or NULL.  is_file: with heading, style and script. */
struct svg {
	const char *class, *title, *note;
	unsigned int height; /* pixels, without the heading of a file */
	bool is_file;
};
void svg_begin(struct buf *b, const struct svg *s);
void svg_end(struct buf *b, const struct svg *s);

#endif
