/* SPDX-License-Identifier: BSD-2-Clause
 *
 * picture.js: views, zoom, search and keys of flame graphs (stacks.js) and heat maps.  picture(svg, ...) returns
 * tools, a list of buttons; search(text), which marks the matches and returns a sentence about them; and
 * reset(), which shows everything again.
 */
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const HTML = "http://www.w3.org/1999/xhtml";

function fill(el, attributes, children) {
	for (const key in attributes)
		el.setAttribute(key, attributes[key]);
	el.append(...children);
	return el;
}

function element(name, attributes, ...children) {
	return fill(document.createElementNS(HTML, name), attributes, children);
}

function drawing(name, attributes, ...children) {
	return fill(document.createElementNS(SVG, name), attributes, children);
}

/* Tab reaches one of the elements, and the arrow keys move between them. */
function rover() {
	let at = null;
	return function (el, moves) {
		if (!el)
			return;
		if (at)
			at.setAttribute("tabindex", "-1");
		el.setAttribute("tabindex", "0");
		at = el;
		if (moves)
			el.focus({ preventScroll: moves === "here" });
	};
}

/* A button that switches something on and off. */
function toggle(text, hint, isOn, change) {
	const button = element("button", { type: "button", title: hint, "aria-pressed": isOn }, text);
	button.addEventListener("click", () => {
		isOn = !isOn;
		button.setAttribute("aria-pressed", isOn);
		change(isOn);
	});
	return button;
}

/* ---- flame graphs ---- */

const ROW = 17;      /* pixels of a frame and the gap above it; flame.c has the same */
const LEAST = 0.5;   /* pixels of the narrowest frame that is drawn alone */
const LETTER = 7.2;  /* pixels of a character, on average */
const LEGIBLE = 5;   /* characters of the shortest label */

/* The shade of a frame's module, as in flame.c; or how much its share has changed. */
function shadeOf(tree, node) {
	if (tree.total.length > 1) {
		const change = share(tree, node.values, 1) - share(tree, node.values, 0);
		const step = [0.001, 0.01, 0.03, 0.1].filter(least => Math.abs(change) >= least).length;
		return step === 0 ? "same" : (change < 0 ? "less" : "more") + step;
	}
	if (!node.parent)
		return KEY + "0";
	const { kind, name } = tree.names[node.id];
	let hash = 0;
	for (const c of new TextEncoder().encode(name.split("`", 1)[0]))
		hash = (Math.imul(hash, 31) + c) >>> 0;
	return (kind === OTHER ? KEY : kind) + hash % 3;
}

function flame(svg, scroller, say) {
	const data = readStacks(svg.querySelector("metadata").textContent);
	const view = { keys: data.keys.map(() => true), callers: false, largest: false };
	let tree = arrange(data, view), top = root(tree);
	let isIcicle = false, height = 0, message = "";
	let found = { text: "", names: new Set() };
	let drawn = [], at = new Map(), of = new Map();
	let focus = rover();

	const place = node => node.first + ":" + node.depth;
	const level = d => d.node.depth + (d.count ? 1 : 0);
	const title = node => `${nameOf(tree, node)}, ${data.function} ${numbers(tree, node.values)}`;

	/* A sentence about what the pointer or the focus is on. */
	function about(d) {
		if (d.count)
			return `narrow frames: ${d.count}, ${percent(d.w * width(tree, top.values))}; zoom to see them`;
		const itself = tree.total.length === 1 ? "; itself " + numbers(tree, own(tree, d.node)) : "";
		const inside = top.parent && !d.isBelow ? `; ${percent(d.w)} of ${labelOf(nameOf(tree, top))}` : "";
		return title(d.node) + itself + inside;
	}

	function tell() {
		const zoomed = top.parent ? "Zoomed to " + title(top) : "";
		say([message, zoomed].filter(text => text).join(". "));
	}

	function label(d, x, y, w) {
		const room = Math.floor((w - 4) / LETTER);
		if (d.count || room < LEGIBLE)
			return [];
		const text = labelOf(nameOf(tree, d.node)), letters = Array.from(text);
		const short = letters.length > room ? letters.slice(0, room - 1).join("") + "\u2026" : text;
		return [drawing("text", { x: x + 3, y: y + 12 }, short)];
	}

	function put(d, wide) {
		const x = d.x * wide, w = d.w * wide;
		const y = isIcicle ? level(d) * ROW : height - (level(d) + 1) * ROW;
		const size = { x, y, width: w > 3 ? w - 0.5 : Math.max(w, 1), height: ROW - 1 };
		const classes = d.count ? "thin" : "frame " + shadeOf(tree, d.node) + (d.isBelow ? " below" : "") +
			(found.names.has(d.node.id) ? " found" : "");
		d.el = drawing("g", { class: classes }, drawing("rect", size), ...label(d, x, y, w));
		of.set(d.el, d);
		if (d.count)
			return d.el;
		fill(d.el, { tabindex: "-1", role: "button", "aria-label": title(d.node) }, []);
		at.set(place(d.node), d);
		return d.el;
	}

	/* A picture that grows keeps its height, so that frames stay where they are. */
	function draw() {
		const wide = svg.getBoundingClientRect().width || 1;
		drawn = layout(tree, top, LEAST / wide);
		height = Math.max(height, (Math.max(...drawn.map(level)) + 1) * ROW);
		svg.setAttribute("height", height);
		at = new Map();
		of = new Map();
		focus = rover();
		svg.replaceChildren(...drawn.map(d => put(d, wide)));
		focus(at.get(place(top)).el);
	}

	/* Draws a node as wide as the picture.  It stays at its height in the window. */
	function zoom(node) {
		const before = at.get(place(node)), y = before && before.el.getBoundingClientRect().top;
		const hasFocus = svg.contains(document.activeElement);
		top = node;
		draw();
		const after = at.get(place(node)).el;
		if (before)
			scroller.scrollTop += after.getBoundingClientRect().top - y;
		focus(after, hasFocus && "here");
		tell();
	}

	function toRoot() {
		scroller.scrollTop = isIcicle || scroller === document.scrollingElement ? scroller.scrollTop : scroller.scrollHeight;
	}

	/* Draws another view of the same stacks. */
	function change(frames) {
		tree = arrange(data, view);
		top = find(tree, frames);
		height = 0;
		draw();
		toRoot();
		search(found.text);
		tell();
	}

	function search(text) {
		const result = text === "" ? null : searchStacks(tree, matcher(text));
		found = { text, names: result ? result.found : new Set() };
		for (const d of drawn)
			d.el.classList.toggle("found", !d.count && found.names.has(d.node.id));
		message = !result ? "" : `${result.found.size} ${result.found.size === 1 ? "name" : "names"}, ` +
			(tree.total.length === 1 ? data.function + " " : "") + numbers(tree, result.values);
		tell();
		return message;
	}

	/* ---- moves: from a frame to the next one ---- */

	const inner = d => drawn.filter(e => !e.count && e.node.parent && place(e.node.parent) === place(d.node))
		.reduce((best, e) => !best || e.w > best.w ? e : best, null);
	const outer = d => d.node.parent && at.get(place(d.node.parent));
	function beside(d, by) {
		const row = drawn.filter(e => !e.count && e.node.depth === d.node.depth);
		return row[row.indexOf(d) + by];
	}
	const moves = {
		ArrowUp: d => isIcicle ? outer(d) : inner(d), ArrowDown: d => isIcicle ? inner(d) : outer(d),
		ArrowLeft: d => beside(d, -1), ArrowRight: d => beside(d, 1), Home: () => drawn[0],
	};

	const hit = e => of.get(e.target.closest("g"));
	svg.addEventListener("keydown", e => {
		const d = hit(e);
		if (e.key === "Escape") {
			zoom(root(tree));
		} else if (d && (e.key === "Enter" || e.key === " ")) {
			zoom(d.node);
		} else if (d && moves[e.key]) {
			const to = moves[e.key](d);
			focus(to && to.el, true);
		} else {
			return;
		}
		e.preventDefault();
	});
	svg.addEventListener("click", e => {
		const d = hit(e);
		if (d)
			zoom(d.node);
	});
	for (const event of ["pointerover", "focusin"])
		svg.addEventListener(event, e => hit(e) && say(about(hit(e))));
	svg.addEventListener("pointerleave", tell);

	const tools = [
		toggle("Icicle", "the lowest frames at the top", false, isOn => { isIcicle = isOn; change(path(top)); }),
		toggle("Callers", "from the functions that ran to their callers", false, isOn => { view.callers = isOn; change([]); }),
		toggle("Largest first", "frames by width instead of by name", false, isOn => { view.largest = isOn; change(path(top)); }),
		...data.keys.map((key, i) => toggle("by " + key, "apart or together", true, isOn => { view.keys[i] = isOn; change([]); })),
	];

	addEventListener("resize", () => zoom(top));
	draw();
	return { tools, search, reset: () => { search(""); zoom(root(tree)); toRoot(); } };
}

/* ---- heat maps ---- */

const LABELS = 100;  /* pixels beside the plot; heat.c has the same */
const APART = 56;    /* pixels from one time to the next */
const DIGIT = 8;     /* pixels of a digit */

function items(svg, selector) {
	return Array.from(svg.querySelectorAll(selector), el => {
		const number = name => parseFloat(el.getAttribute(name));
		const title = el.querySelector("title").textContent;
		return { el, title, x: number("x"), y: number("y"), w: number("width"), h: number("height") };
	});
}

function heat(svg, scroller, say) {
	const cells = items(svg, ".cell");
	const of = new Map(cells.map(c => [c.el, c]));
	const focus = rover();
	const plot = svg.querySelector(".plot"), times = Array.from(svg.querySelectorAll(".time"));
	const moves = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

	for (const c of cells) {
		fill(c.el, { tabindex: "-1", role: "img", "aria-label": c.title }, []);
		const next = c.el.nextElementSibling;
		c.number = next && next.classList.contains("number") ? next : null;
	}
	focus(cells[0].el);

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
		const to = next(c, ...moves[e.key]);
		focus(to && to.el, true);
		e.preventDefault();
	});
	/* Labels have a fixed width; the cells get the rest, a pixel or more each. */
	function fit() {
		const wide = Math.max(svg.getBoundingClientRect().width - LABELS, 50);
		const every = Math.ceil(times.length * APART / wide);
		plot.setAttribute("width", wide);
		for (const c of cells) {
			c.el.setAttribute("width", Math.max(c.w / 100 * wide, 1));
			if (c.number)
				c.number.style.display = c.w / 100 * wide > (c.number.textContent.length + 1) * DIGIT ? "" : "none";
		}
		times.forEach((time, i) => { time.style.display = i % every ? "none" : ""; });
	}
	addEventListener("resize", fit);
	fit();

	const tell = e => of.has(e.target) && say(of.get(e.target).title);
	svg.addEventListener("focusin", tell);
	svg.addEventListener("pointerover", tell);
	return { tools: [], search: () => "", reset: () => say("") };
}

/* scroller is the element that scrolls the picture; say shows a sentence. */
function picture(svg, scroller, say) {
	/* A picture with controls is more than an image.  Browsers let Tab stop at elements that listen to the focus. */
	fill(svg, { role: "group", tabindex: "-1", width: "100%" }, []);
	return svg.querySelector("metadata") ? flame(svg, scroller, say) : heat(svg, scroller, say);
}

/* ---- a picture that is a file, without a page around it ---- */

/* A field that searches while the user types.  The key / moves to the field, Escape clears it. */
function searcher(label, search) {
	const input = element("input", { type: "search", "aria-label": label, placeholder: label });

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

/* The heading stays above the picture, which scrolls. */
function alone(svg) {
	const body = svg.querySelector(".body");
	const lines = name => Array.from(svg.querySelectorAll("." + name), line => line.textContent).join(" ");
	const said = element("p", { class: "said", role: "status" });
	const tools = element("div", { class: "bar" });
	const scroll = element("div", { class: "view" }, body);
	const shell = element("div", { class: "shell" },
		element("h1", {}, svg.getAttribute("aria-label")), element("p", { class: "soft" }, lines("about")), tools, said,
		scroll, element("p", { class: "soft" }, lines("note")));

	for (const old of svg.querySelectorAll(":scope > text"))
		old.remove();
	svg.append(drawing("foreignObject", { width: "100%", height: "100%" }, shell));
	fill(svg, { role: "document", width: "100%", height: "100%" }, []);
	body.setAttribute("aria-label", svg.getAttribute("aria-label"));
	const it = picture(body, scroll, text => { said.textContent = text; });
	if (!it.tools.length)
		return;
	const input = searcher("Search", it.search);
	const button = element("button", { type: "button" }, "Show all");
	button.addEventListener("click", () => {
		input.value = "";
		it.reset();
	});
	tools.append(input, button, ...it.tools);
	it.reset();
}

if (document.documentElement.namespaceURI === SVG)
	alone(document.documentElement);
