/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stacks_test.js: the script of flame graphs without a browser: sums, views, searches, zoom.
 */
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");

const file = path.join(__dirname, "../../src/chart/web/stacks.js");
const s = vm.createContext({});
vm.runInContext(fs.readFileSync(file, "utf8"), s, { filename: file });

let checks = 0, failures = 0;

/* Arrays of the script belong to its context, so they are compared as JSON, with values as numbers. */
function json(data) {
	return JSON.stringify(data, (_, value) => typeof value === "bigint" ? Number(value) : value);
}

function same(have, want) {
	checks++;
	if (json(have) === json(want))
		return;
	failures++;
	console.log(new Error(`have ${json(have)}, want ${json(want)}`).stack.split("\n").slice(0, 3).join("\n"));
}

/* 0, 1: keys; 2: leaf, 3: main, 4: page_fault, 5: page_fault_user, 6: no name, 7: other */
const NAMES = ["x1", "x2", "ulibc`leaf", "ua.out`main", "kvmlinux`page_fault", "kvmlinux`page_fault_user", "ua.out`[unknown]", "o(other)"];
const data = s.readStacks(["count", "pid", ...NAMES, "",
	"0 0 3,1",        /* 1 main */
	"2 2,2",          /* 1 main leaf */
	"3 5 4,3",        /* 1 main leaf page_fault_user page_fault */
	"2 4,5",          /* 1 main page_fault */
	"0 1 3 2 3,7",    /* 2 main leaf main */
	"1 6,82", ""].join("\n"));

function names(tree, node) {
	return s.children(tree, node).map(n => [s.nameOf(tree, n), ...n.values]);
}

function text() {
	same(data.keys, ["pid"]);
	same(data.stacks[2], { frames: [0, 3, 2, 5, 4], nkeys: 1, values: [3] });
	same(data.stacks[4].frames, [1, 3, 2, 3]);
	same(s.readStacks("sum\n\nufoo\no(other)\n\n0 0,9\n").keys, []);
	same(s.readStacks("sum\n\tb\nxk\nxl\no(other)\n\n0 0 1,9\n").keys, ["key 1", "b"]);
}

/* In each view, a node has the values of those above it and its own, and all of them are the total. */
function totals() {
	for (const view of [{ keys: [true] }, { keys: [false] }, { keys: [true], callers: true }, { keys: [false], callers: true, largest: true }]) {
		const tree = s.arrange(data, view);
		let sum = 0n;
		(function walk(node) {
			const above = s.children(tree, node), own = s.own(tree, node)[0];
			same(above.reduce((n, child) => n + child.values[0], own), node.values[0]);
			sum += own;
			above.forEach(walk);
		})(s.root(tree));
		same(sum, 100);
	}
}

function views() {
	const tree = s.arrange(data, { keys: [true] });
	same(names(tree, s.root(tree)), [["1", 11], ["2", 89]]);
	same(names(tree, s.find(tree, [0, 3])), [["libc`leaf", 5], ["vmlinux`page_fault", 5]]);
	same(s.children(tree, s.find(tree, [0, 3])).map(n => n.x), [0.01, 0.060000000000000005]);
	same(s.path(s.find(tree, [0, 3, 2, 99])), [0, 3, 2]);

	const largest = s.arrange(data, { keys: [true], largest: true });
	same(names(largest, s.root(largest)), [["2", 89], ["1", 11]]);
	same(s.children(largest, s.root(largest)).map(n => n.x), [0, 0.89]);

	const merged = s.arrange(data, { keys: [false] });
	same(names(merged, s.root(merged)), [["a.out`main", 18], ["a.out`[unknown]", 82]]);
	same(names(merged, s.find(merged, [3])), [["libc`leaf", 12], ["vmlinux`page_fault", 5]]);

	const callers = s.arrange(data, { keys: [false], callers: true });
	same(names(callers, s.root(callers)), [["libc`leaf", 2], ["a.out`main", 8], ["vmlinux`page_fault", 8], ["a.out`[unknown]", 82]]);
	same(names(callers, s.find(callers, [4])), [["a.out`main", 5], ["vmlinux`page_fault_user", 3]]);
	const apart = s.arrange(data, { keys: [true], callers: true });
	same(names(apart, s.find(apart, [1])), [["a.out`main", 7], ["a.out`[unknown]", 82]]);
}

/* A stack with several matches counts once, and so does recursion. */
function searches() {
	const tree = s.arrange(data, { keys: [true] }), merged = s.arrange(data, { keys: [false], callers: true });
	function sum(want, of = tree) {
		const result = s.searchStacks(of, s.matcher(want));
		return [result.found.size, ...result.values];
	}
	same(sum("page_fault"), [2, 8]);
	same(sum("page_fault", merged), [2, 8]);
	same(sum("page_fault$"), [1, 8]);
	same(sum("^a.out`MAIN$"), [1, 18]);
	same(sum("leaf|page"), [3, 17]);
	same(sum("no such"), [0, 0]);
	same(sum("[unknown"), [1, 82]); /* no regular expression, so a text */
	same(sum("."), [7, 100]);
	same(sum("^2$"), [1, 89]);
	same(sum("^2$", merged), [0, 0]);
}

/* The frame is as wide as the picture, and those below it are, too. */
function zoom() {
	const tree = s.arrange(data, { keys: [true] });
	same(s.layout(tree, s.find(tree, [0, 3]), 0.001).map(d => [s.nameOf(tree, d.node), +d.x.toFixed(4), +d.w.toFixed(4), d.isBelow === true]),
		[["all", 0, 1, true], ["1", 0, 1, true], ["a.out`main", 0, 1, false], ["libc`leaf", 0.0909, 0.4545, false],
			["vmlinux`page_fault_user", 0.2727, 0.2727, false], ["vmlinux`page_fault", 0.2727, 0.2727, false],
			["vmlinux`page_fault", 0.5455, 0.4545, false]]);
}

/* Narrow neighbours are one element; the search counts them. */
function narrow() {
	const many = ["count", "", ...Array.from({ length: 1000 }, (_, i) => "uf" + i), "o(other)", "",
		...Array.from({ length: 1000 }, (_, i) => `0 ${i.toString(36)},${i === 500 ? 1000 : 1}`), ""].join("\n");
	const tree = s.arrange(s.readStacks(many), { keys: [] });
	const drawn = s.layout(tree, s.root(tree), 0.01);
	same(drawn.map(d => d.count || s.nameOf(tree, d.node)), ["all", 500, "f500", 499]);
	same(drawn.map(d => Math.round(d.w * 1999)), [1999, 500, 1000, 499]);
	same(s.searchStacks(tree, s.matcher("^f1$")).values, [1]);
}

/* The mean of the shares is the width. */
function runs() {
	const two = s.readStacks(["count", "", "ua", "ub", "o(other)", "", "0 0,30,100", "0 1,10,0", ""].join("\n"));
	const tree = s.arrange(two, { keys: [] });
	same(tree.total, [40, 100]);
	same(s.children(tree, s.root(tree)).map(n => s.width(tree, n.values)), [0.875, 0.125]);
	same(s.numbers(tree, [30, 100]), "before 75.00 %, after 100.00 %: +25.00 points");
	same(s.numbers(tree, [10, 0]), "before 25.00 %, after 0.00 %: -25.00 points");
	const gone = s.arrange(s.readStacks(["sum", "", "ua", "o(other)", "", "0 0,5,0", ""].join("\n")), { keys: [] });
	same(s.width(gone, [5, 0]), 1);
}

/* No value is rounded. */
function large() {
	const text = ["sum", "", "ua", "ub", "o(other)", "", "0 0,9223372036854775807", "0 1,9007199254740993", ""].join("\n");
	const tree = s.arrange(s.readStacks(text), { keys: [] });
	const shown = s.children(tree, s.root(tree)).map(n => s.numbers(tree, n.values));
	same(shown, ["9223372036854775807, 99.90 %", "9007199254740993, 0.10 %"]);
	same(s.numbers(tree, tree.total), "9232379236109516800, 100.00 %");
	same(s.numbers(tree, s.searchStacks(tree, s.matcher("b")).values), "9007199254740993, 0.10 %");
}

function labels() {
	same(s.labelOf("libc`leaf"), "leaf");
	same(s.labelOf("a.out`[unknown]"), "a.out`[unknown]");
	same(s.labelOf("sh"), "sh");
	same(s.numbers(s.arrange(data, { keys: [true] }), [3]), "3, 3.00 %");
}

for (const test of [text, totals, views, searches, zoom, narrow, runs, large, labels])
	test();
console.log(`${checks} checks, ${failures} failures`);
process.exitCode = failures ? 1 : 0;
