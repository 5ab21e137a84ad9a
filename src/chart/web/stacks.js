/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stacks.js: the stacks of a flame graph, as chart/flame.h describes their text, and what can be drawn and
 * computed from them.  Nothing here needs a document.
 *
 * There is no tree, as in flame.c: stacks are sorted by their frames, so a node is a range of stacks that
 * have the same frames up to a depth.  Its values are sums by run; a single run has one value.  The values
 * of a range are the difference of two running sums.  Values are BigInt, because a Number above 2^53 is rounded.
 */
"use strict";

const OTHER = "o", KEY = "x";

function readStacks(text) {
	const lines = text.split("\n"), end = lines.indexOf("", 2);
	const names = lines.slice(2, end).map(line => ({ kind: line[0], name: line.slice(1) }));
	const stacks = [];
	let frames = [];

	for (const line of lines.slice(end + 1)) {
		if (line === "")
			continue;
		const [path, ...values] = line.split(",");
		const [shared, ...ids] = path.split(" ").map(digits => parseInt(digits, 36));
		frames = frames.slice(0, shared).concat(ids);
		const first = frames.findIndex(id => names[id].kind !== KEY);
		stacks.push({ frames, nkeys: first < 0 ? frames.length : first, values: values.map(BigInt) });
	}
	const nkeys = stacks.reduce((most, s) => Math.max(most, s.nkeys), 0);
	const labels = lines[1].split("\t");
	const keys = Array.from({ length: nkeys }, (_, i) => labels[i] || "key " + (i + 1));
	return { function: lines[0], names, stacks, keys };
}

function plus(a, b) {
	return a.map((value, run) => value + b[run]);
}

function compareFrames(a, b) {
	for (let i = 0; i < a.length && i < b.length; i++)
		if (a[i] !== b[i])
			return a[i] - b[i];
	return a.length - b.length;
}

/*
 * Sorts the stacks for a view.  keys: for each key, whether its values are apart.  callers: a function is
 * below the functions that call it, and the lowest frames are those that ran.
 */
function arrange(data, view) {
	const stacks = data.stacks.map(s => {
		const keys = s.frames.slice(0, s.nkeys).filter((_, i) => view.keys[i]);
		const rest = s.frames.slice(s.nkeys);
		return { frames: keys.concat(view.callers ? rest.reverse() : rest), values: s.values };
	});
	stacks.sort((a, b) => compareFrames(a.frames, b.frames));
	const sums = [stacks[0].values.map(() => 0n)];
	for (const s of stacks)
		sums.push(plus(sums[sums.length - 1], s.values));
	return { names: data.names, stacks, sums, total: sums[stacks.length], largest: view.largest };
}

function range(tree, first, last) {
	return tree.sums[last].map((sum, run) => sum - tree.sums[first][run]);
}

function root(tree) {
	return { id: -1, depth: 0, first: 0, last: tree.stacks.length, values: tree.total, x: 0, parent: null };
}

/* The share of a run, and the mean of the shares of all runs that have values. */
function share(tree, values, run) {
	return tree.total[run] > 0 ? Number(values[run]) / Number(tree.total[run]) : 0;
}

function width(tree, values) {
	let sum = 0, runs = 0;
	for (let run = 0; run < values.length; run++) {
		sum += share(tree, values, run);
		runs += tree.total[run] > 0;
	}
	return sum / runs;
}

/* The end of the stacks that end in a node. */
function ownEnd(tree, node) {
	let i = node.first;
	while (i < node.last && tree.stacks[i].frames.length === node.depth)
		i++;
	return i;
}

/* The values of the stacks that end in a node. */
function own(tree, node) {
	return range(tree, node.first, ownEnd(tree, node));
}

/* The nodes above a node, by name after the values of its own, or the largest first. */
function children(tree, node) {
	const list = [];

	for (let first = ownEnd(tree, node), last = first; first < node.last; first = last) {
		const id = tree.stacks[first].frames[node.depth];
		while (last < node.last && tree.stacks[last].frames[node.depth] === id)
			last++;
		list.push({ id, depth: node.depth + 1, first, last, values: range(tree, first, last), parent: node });
	}
	if (tree.largest)
		list.sort((a, b) => width(tree, b.values) - width(tree, a.values));
	let x = node.x + (tree.largest ? 0 : width(tree, own(tree, node)));
	for (const child of list) {
		child.x = x;
		x += width(tree, child.values);
	}
	return list;
}

/* The node with these frames, as far as they exist. */
function find(tree, frames) {
	let node = root(tree);
	for (const id of frames) {
		const next = children(tree, node).find(child => child.id === id);
		if (!next)
			break;
		node = next;
	}
	return node;
}

function path(node) {
	const frames = [];
	for (let n = node; n.parent; n = n.parent)
		frames.unshift(n.id);
	return frames;
}

/*
 * Returns the rectangles to draw if `top` is as wide as the picture: { node, x, w }, from 0 to 1.  Nodes below
 * `top` have the full width.  Neighbours narrower than `least` are one { node: the node below, count, x, w }.
 */
function layout(tree, top, least) {
	const whole = width(tree, top.values), drawn = [];

	for (let n = top.parent; n; n = n.parent)
		drawn.unshift({ node: n, x: 0, w: 1, isBelow: true });
	function put(node) {
		drawn.push({ node, x: (node.x - top.x) / whole, w: width(tree, node.values) / whole });
		let thin = null;
		for (const child of children(tree, node)) {
			const w = width(tree, child.values) / whole;
			if (w >= least) {
				thin = null;
				put(child);
			} else if (thin) {
				thin.w += w;
				thin.count++;
			} else {
				thin = { node, count: 1, x: (child.x - top.x) / whole, w };
				drawn.push(thin);
			}
		}
	}
	put(top);
	return drawn.filter(d => d.w >= least);
}

/* Returns a function that tells whether a name matches: a regular expression, or else a text. */
function matcher(text) {
	try {
		const pattern = new RegExp(text, "i");
		return name => pattern.test(name);
	} catch {
		const want = text.toLowerCase();
		return name => name.toLowerCase().includes(want);
	}
}

/* The names that match, and the values of the stacks that have one of them, however often. */
function searchStacks(tree, matches) {
	const found = new Set(), seen = new Set();
	let sum = tree.total.map(() => 0n);

	tree.names.forEach((n, id) => {
		if (n.kind !== OTHER && matches(n.name))
			found.add(id);
	});
	for (const s of tree.stacks) {
		const here = s.frames.filter(id => found.has(id));
		here.forEach(id => seen.add(id));
		if (here.length)
			sum = plus(sum, s.values);
	}
	return { found: seen, values: sum };
}

/* ---- texts ---- */

function nameOf(tree, node) {
	return node.parent ? tree.names[node.id].name : "all";
}

/* The function of a name, or its file if the function has no name. */
function labelOf(name) {
	const short = name.slice(name.lastIndexOf("`") + 1);
	return short === "[unknown]" ? name : short;
}

const percent = part => (part * 100).toFixed(2) + " %";

/* The numbers of values: of a single run itself, of two runs their shares. */
function numbers(tree, values) {
	if (tree.total.length === 1)
		return String(values[0]) + ", " + percent(share(tree, values, 0));
	const before = share(tree, values, 0), after = share(tree, values, 1), change = (after - before) * 100;
	return `before ${percent(before)}, after ${percent(after)}: ${change < 0 ? "" : "+"}${change.toFixed(2)} points`;
}
