/* SPDX-License-Identifier: BSD-2-Clause
 *
 * page.js: a page with pictures (picture.js): one search for all of them, and tables that sort.
 */

/* ---- tables ---- */

/* A Number above 2^53 would be rounded. */
function key(row, column) {
	const text = row.cells[column].textContent;
	const number = Number(text);
	if (/^[-+]?\d+$/.test(text))
		return BigInt(text);
	return text !== "" && !Number.isNaN(number) ? number : text;
}

/* Numbers come before text. */
function compare(a, b) {
	if ((typeof a === "string") !== (typeof b === "string"))
		return typeof b === "string" ? -1 : 1;
	return a < b ? -1 : a > b ? 1 : 0;
}

function sort(table, heading) {
	const before = heading.getAttribute("aria-sort");
	const isNumber = heading.classList.contains("number");
	const order = before ? (before === "ascending" ? "descending" : "ascending") : isNumber ? "descending" : "ascending";
	const sign = order === "ascending" ? 1 : -1;
	const column = heading.cellIndex;
	const rows = Array.from(table.tBodies[0].rows, row => [key(row, column), row]);

	rows.sort((a, b) => sign * compare(a[0], b[0]));
	table.tBodies[0].append(...rows.map(r => r[1]));
	for (const other of table.tHead.rows[0].cells)
		other.removeAttribute("aria-sort");
	heading.setAttribute("aria-sort", order);
}

function sorts(table) {
	for (const heading of table.tHead.rows[0].querySelectorAll("th")) {
		const button = element("button", { type: "button" }, heading.textContent);
		button.addEventListener("click", () => sort(table, heading));
		heading.replaceChildren(button);
	}
}

/* Shows the rows with a cell that matches. */
function filter(table, matches) {
	let found = 0;
	for (const row of table.tBodies[0].rows) {
		row.hidden = !Array.from(row.cells).some(cell => matches(cell.textContent));
		found += !row.hidden;
	}
	return found;
}

/* ---- the line about the selected element, and the search of the page ---- */

const tables = Array.from(document.querySelectorAll("table.sorts"));
const tools = element("div", { class: "tools", role: "search" });
const input = searcher("Search frames and rows", search);
const all = element("button", { type: "button" }, "Show all");
const said = element("p", { class: "said", role: "status" });

const shown = Array.from(document.querySelectorAll("svg.picture"), svg => {
	const it = picture(svg, document.scrollingElement, text => { said.textContent = text; });
	svg.before(element("div", { class: "bar" }, ...it.tools));
	return it;
});

function search(text) {
	const rows = tables.reduce((sum, table) => sum + filter(table, matcher(text)), 0);
	const results = shown.map(it => it.search(text)).filter(result => result);
	said.textContent = text === "" ? "" : [...results, rows + (rows === 1 ? " row" : " rows")].join("; ");
}

tables.forEach(sorts);
for (const box of document.querySelectorAll(".scroll")) {
	if (box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth)
		continue;
	const caption = box.querySelector("caption").textContent;
	box.setAttribute("tabindex", "0");
	box.setAttribute("role", "region");
	box.setAttribute("aria-label", caption);
}
all.addEventListener("click", () => {
	input.value = "";
	search("");
	for (const it of shown)
		it.reset();
});
tools.append(input, all, said);
document.querySelector("main").before(tools);
