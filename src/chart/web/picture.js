/* SPDX-License-Identifier: BSD-2-Clause
 *
 * picture.js: zoom, search and keys of flame graphs and heat maps.  pictures() has one object for each
 * picture of the document: search(text) marks the matches and returns a sentence about them, reset()
 * shows everything again.
 */
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const HTML = "http://www.w3.org/1999/xhtml";
const GAP = 1e-4; /* percentages are rounded */

/* Tab reaches one of the elements, and the arrow keys move between them. */
function rover(list, name) {
	let at = list[0];
	for (const item of list) {
		item.el.setAttribute("tabindex", item === at ? "0" : "-1");
		item.el.setAttribute("role", name);
		item.el.setAttribute("aria-label", item.title.replace("\n", ", "));
	}
	return function (item, moves) {
		if (!item)
			return;
		at.el.setAttribute("tabindex", "-1");
		item.el.setAttribute("tabindex", "0");
		at = item;
		if (moves)
			item.el.focus();
	};
}

function items(svg, selector) {
	return Array.from(svg.querySelectorAll(selector), el => {
		const number = name => parseFloat(el.getAttribute(name));
		const title = el.querySelector("title").textContent;
		return { el, title, name: title.split("\n")[0], x: number("x"), y: number("y"),
			 w: number("width"), h: number("height") };
	});
}

/* ---- flame graphs: the root is the first frame, and y grows downwards ---- */

function flame(svg, say) {
	const frames = items(svg, ".frame"), root = frames[0];
	const step = 17;
	const focus = rover(frames, "button");
	const of = new Map(frames.map(f => [f.el, f]));
	let shown = root;

	const covers = (f, g) => f.x <= g.x + GAP && f.x + f.w >= g.x + g.w - GAP;
	const rows = new Map();
	for (const f of frames) {
		if (!rows.has(f.y))
			rows.set(f.y, []);
		rows.get(f.y).push(f);
	}
	const parent = f => (rows.get(f.y + step) || []).find(g => covers(g, f));
	const visible = f => f.el.style.display !== "none";

	/* A narrow frame has no name; a longer name is cut at the edge. */
	function name(f, w) {
		const wide = w / 100 * svg.getBoundingClientRect().width > 25;
		let text = f.el.querySelector("text");
		if (wide && !text) {
			text = document.createElementNS(SVG, "text");
			text.setAttribute("x", "3");
			text.setAttribute("y", "12");
			text.textContent = f.name.slice(f.name.lastIndexOf("`") + 1);
			f.el.appendChild(text);
		}
		if (text)
			text.style.display = wide ? "" : "none";
	}

	function zoom(to) {
		shown = to;
		for (const f of frames) {
			const below = f.y > to.y && covers(f, to);
			const inside = f.y <= to.y && covers(to, f);
			const x = below ? 0 : (f.x - to.x) / to.w * 100;
			const w = below ? 100 : f.w / to.w * 100;

			f.el.style.display = below || inside ? "" : "none";
			f.el.classList.toggle("below", below);
			if (!below && !inside)
				continue;
			f.el.setAttribute("x", x + "%");
			f.el.setAttribute("width", w + "%");
			name(f, w);
		}
		say(to === root ? "" : "Zoomed to " + to.title.replace("\n", ", "));
	}

	function reset() {
		zoom(root);
		focus(root, svg.contains(document.activeElement));
	}

	function beside(f, by) {
		const row = rows.get(f.y).filter(visible);
		return row[row.indexOf(f) + by];
	}

	function above(f) {
		const row = (rows.get(f.y - step) || []).filter(g => visible(g) && covers(f, g));
		return row.reduce((best, g) => !best || g.w > best.w ? g : best, null);
	}

	const keys = {
		ArrowUp: above, ArrowDown: parent,
		ArrowLeft: f => beside(f, -1), ArrowRight: f => beside(f, 1), Home: () => root,
	};

	svg.addEventListener("keydown", e => {
		const f = of.get(e.target);
		if (e.key === "Escape") {
			reset();
		} else if (f && (e.key === "Enter" || e.key === " ")) {
			zoom(f);
		} else if (f && keys[e.key]) {
			const to = keys[e.key](f);
			focus(to, true);
			if (to)
				say(to.title.replace("\n", ", "));
		} else {
			return;
		}
		e.preventDefault();
	});
	svg.addEventListener("click", e => {
		const f = of.get(e.target.closest(".frame"));
		if (f) {
			zoom(f);
			focus(f, true);
		}
	});

	/* Frames come in the order of a walk from the left.  Frames above a found one do not count again. */
	function search(text) {
		const want = text.toLowerCase();
		let sum = 0, end = -1, count = 0;
		for (const f of frames) {
			const found = want !== "" && f !== root && f.name.toLowerCase().includes(want);
			f.el.classList.toggle("found", found);
			if (!found)
				continue;
			count++;
			if (f.x + GAP >= end) {
				sum += f.w;
				end = f.x + f.w;
			}
		}
		return want === "" ? "" : count + (count === 1 ? " frame, " : " frames, ") + sum.toFixed(2) + " %";
	}

	addEventListener("resize", () => zoom(shown));
	zoom(root);
	return { search, reset };
}

/* ---- heat maps ---- */

function heat(svg, say) {
	const cells = items(svg, ".cell");
	const of = new Map(cells.map(c => [c.el, c]));
	const focus = rover(cells, "img");
	const plot = svg.querySelector(".plot");
	const moves = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

	/* Finds the nearest element in a direction: first along it, then across. */
	function next(from, dx, dy) {
		let best = null, least = Infinity;
		for (const c of cells) {
			const x = (c.x - from.x) / from.w, y = (c.y - from.y) / from.h;
			const along = x * dx + y * dy, across = Math.abs(x * dy) + Math.abs(y * dx);
			const far = along + across * 1000;
			if (along > 0.5 && far < least) {
				best = c;
				least = far;
			}
		}
		return best;
	}

	svg.addEventListener("keydown", e => {
		const c = of.get(e.target);
		if (!c || !moves[e.key])
			return;
		focus(next(c, ...moves[e.key]), true);
		e.preventDefault();
	});
	/* Labels have a fixed width; the cells get the rest. */
	const fit = () => plot.setAttribute("width", Math.max(svg.getBoundingClientRect().width - 100, 50));
	addEventListener("resize", fit);
	fit();

	const tell = e => of.has(e.target) && say(of.get(e.target).title);
	svg.addEventListener("focusin", tell);
	svg.addEventListener("pointerover", tell);
	return { search: () => "", reset: () => say("") };
}

function picture(svg, say) {
	/* A picture with controls is more than an image. */
	svg.setAttribute("role", "group");
	svg.setAttribute("width", "100%");
	return svg.classList.contains("heat") ? heat(svg, say) : flame(svg, say);
}

/* ---- a picture that is a file, without a page around it ---- */

function element(name, attributes, text) {
	const el = document.createElementNS(HTML, name);
	for (const key in attributes)
		el.setAttribute(key, attributes[key]);
	if (text)
		el.textContent = text;
	return el;
}

/* A field that searches while the user types.  The key / moves to the field, Escape clears it. */
function searcher(label, placeholder, search) {
	const input = element("input", { type: "search", "aria-label": label, placeholder });

	input.addEventListener("input", () => search(input.value));
	document.addEventListener("keydown", e => {
		if (e.key === "/" && e.target !== input) {
			input.focus();
			e.preventDefault();
		} else if (e.key === "Escape" && e.target === input) {
			input.value = "";
			search("");
		}
	});
	return input;
}

function alone(svg) {
	const box = document.createElementNS(SVG, "foreignObject");
	const bar = element("div", { class: "bar" });
	const said = element("span", { role: "status" });
	const it = picture(svg, text => { said.textContent = text; });
	const attributes = { x: 8, y: 46, width: "98%", height: 34 };

	if (svg.classList.contains("flame")) {
		const input = searcher("Search frames", "Search", text => { said.textContent = it.search(text); });
		const button = element("button", { type: "button" }, "Show all");
		button.addEventListener("click", it.reset);
		bar.append(input, button);
	}
	for (const key in attributes)
		box.setAttribute(key, attributes[key]);
	bar.append(said);
	box.append(bar);
	svg.insertBefore(box, svg.querySelector(".body"));
}

if (document.documentElement.namespaceURI === SVG)
	alone(document.documentElement);
