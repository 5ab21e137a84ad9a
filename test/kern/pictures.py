#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""pictures.py frames SVG | hostile FILE | valid HTML | browser DIR | top DTRACE COMMAND

frames: prints "SHARE NAME" of each frame of a flame graph.  hostile: writes a saved run whose names try to break
documents.  valid: prints errors of a strict HTML parser.  browser: checks flame.svg, compared.svg, heat.svg and
page.html in DIR in Chromium, and prints lines "ok - text"; it leaves screenshots there.  top: checks --top in a
terminal in the same way.  The interpreter is Debian's, for its packages."""
import json
import os
import re
import sys
import tempfile
import time


def tell(good, text, why=""):
    print(f"{'ok' if good else 'not ok'} - {text}")
    if not good and why:
        print("# " + str(why).replace("\n", "\n# "))


def frames(path):
    import xml.etree.ElementTree as tree
    for el in tree.parse(path).iter("{http://www.w3.org/2000/svg}g"):
        if "frame" in el.get("class", ""):
            name, numbers = el.find("{http://www.w3.org/2000/svg}title").text.split("\n")
            shares = [float(share) for share in re.findall(r"([\d.]+) %", numbers)]
            print(f"{sum(shares) / len(shares):.2f}", name)


HOSTILE = ['"><script>document.title = "broken"</script>', "]]>", "<!--", "&amp;&#0;", "'\"`", "\x01\x1b[31m", "\ufffe\uffff",
           "x" * 10000, "\u202e\u0085", "</script>", "</style>", "</title>", "\U0001f600" * 50, "\t\n\r"]


def hostile(path):
    def stack(*names):
        return [{"symbol": name} for name in names]

    rows = [{"keys": [name, stack(name, "b`main")], "count": i + 1} for i, name in enumerate(HOSTILE)]
    plain = [{"keys": [name], "count": i + 1} for i, name in enumerate(HOSTILE)]
    output = [{"aggregation-data": rows, "aggregation-name": '<i>&"'}, {"aggregation-data": plain, "aggregation-name": "plain"}]
    with open(path, "w", encoding="utf-8") as file:
        file.write(json.dumps({"dtrace": {"probes": [{"timestamp": 1, "output": output}]}}, ensure_ascii=False))
    with open(path, "rb") as file:
        data = file.read()
    with open(path, "wb") as file:
        file.write(data.replace(b"x" * 100, b"\xff\xc0x", 1))


def valid(path):
    import html5lib
    parser = html5lib.HTMLParser()
    with open(path, "rb") as file:
        parser.parse(file)
    for place, code, values in parser.errors:
        print(place, code, values)


# ---- the browser

# Returns the least contrast of a text with its background (WCAG 2.1, 1.4.3), that text, and how many texts there
# are.
CONTRAST = """
function parse(c) { const m = c.match(/[\\d.]+/g).map(Number); return m.length > 3 && m[3] === 0 ? null : m.slice(0, 3); }
function light(c) {
	const [r, g, b] = c.map(v => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function behind(el) {
	const rect = el.closest("g.frame") ? el.closest("g.frame").querySelector("rect") :
		el.matches("text.number") ? el.previousElementSibling : null;
	if (rect)
		return parse(getComputedStyle(rect).fill);
	const ground = document.documentElement.querySelector(".ground");
	for (; el; el = el.parentElement) {
		const c = parse(getComputedStyle(el).backgroundColor);
		if (c)
			return c;
	}
	return ground ? parse(getComputedStyle(ground).fill) : [255, 255, 255];
}
let least = [99, "", 0];
for (const el of document.querySelectorAll("h1,h2,p,a,button,input,th,td,caption,figcaption,span,text")) {
	if (!el.textContent.trim() && el.localName !== "input")
		continue;
	const style = getComputedStyle(el), svg = el.localName === "text";
	const a = light(parse(svg ? style.fill : style.color)), b = light(behind(el));
	const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
	if (ratio < least[0])
		least = [ratio, el.localName + " " + el.textContent.slice(0, 40), least[2]];
	least[2]++;
}
return least;
"""


class Browser:
    def __init__(self, folder):
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
        options = webdriver.ChromeOptions()
        for arg in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage"):
            options.add_argument(arg)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.folder = os.path.abspath(folder)
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)

    def open(self, name, width, height, scheme="light"):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                    {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        self.driver.get(f"file://{self.folder}/{name}")

    def shoot(self, name):
        self.driver.save_screenshot(f"{self.folder}/{name}.png")

    def run(self, script, *args):
        return self.driver.execute_script(script, *args)

    def keys(self, *keys):
        from selenium.webdriver.common.action_chains import ActionChains
        ActionChains(self.driver).send_keys(*keys).perform()

    def back(self):
        from selenium.webdriver.common.action_chains import ActionChains
        from selenium.webdriver.common.keys import Keys
        ActionChains(self.driver).key_down(Keys.SHIFT).send_keys(Keys.TAB).key_up(Keys.SHIFT).perform()

    def frame(self, name):
        return self.run("return [...document.querySelectorAll('.frame')].find(f => f.ariaLabel.startsWith(arguments[0] + ','))", name)

    def width(self, name):
        """Returns the width of a frame as a share of the picture, in percent; 0 for a frame that is not there."""
        return self.run("""
            const wide = name => {
                const f = [...document.querySelectorAll('.frame')].find(f => f.ariaLabel.startsWith(name + ','));
                return f ? f.querySelector('rect').width.baseVal.value : 0;
            };
            return Math.round(wide(arguments[0]) / wide('all') * 100);""", name)

    def text(self, name):
        return self.run("return arguments[0].querySelector('text').textContent", self.frame(name))

    def press(self, text):
        self.run("[...document.querySelectorAll('button')].find(b => b.textContent === arguments[0]).click()", text)

    def top(self, name):
        return self.run("return arguments[0].getBoundingClientRect().top", self.frame(name))

    def status(self):
        return self.run("return [...document.querySelectorAll('[role=status]')].map(s => s.textContent).join(' ').trim()")

    def focused(self):
        return self.run("const e = document.activeElement; return e.getAttribute('aria-label') || e.textContent")

    def check_access(self, what):
        """Checks names of elements that take the focus, contrasts, and the log."""
        tree = self.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        focusable = [n for n in tree if not n.get("ignored") and any(
            p["name"] == "focusable" and p["value"].get("value") for p in n.get("properties", []))]
        nameless = [n["role"]["value"] for n in focusable
                    if n["role"]["value"] != "RootWebArea" and not n.get("name", {}).get("value")]
        tell(focusable and not nameless, f"{what}: what takes the focus has a name", nameless)
        ratio, text, n = self.run(CONTRAST)
        tell(n > 0 and ratio >= 4.5, f"{what}: contrasts are 4.5 at least", (ratio, text, n))
        log = self.driver.get_log("browser")
        tell(not log, f"{what}: no errors", log)


def flame(b, name, label):
    from selenium.webdriver.common.keys import Keys
    b.open(name, 1600, 700)
    b.shoot(f"{label}-1600")
    b.check_access(label)
    b.frame("test-pictures`pic_left").click()
    tell(b.width("test-pictures`pic_left") == 100 and b.width("test-pictures`pic_right") == 0, f"{label}: a click on a frame shows it alone",
         (b.width("test-pictures`pic_left"), b.width("test-pictures`pic_right")))
    tell("100.00 % of pic_left" in b.status(), f"{label}: and says so", b.status())
    b.shoot(f"{label}-zoomed")
    b.keys(Keys.ESCAPE)
    tell(b.width("test-pictures`pic_left") == 75, f"{label}: Escape shows all again", b.width("test-pictures`pic_left"))
    b.keys("/")
    b.keys("PIC_LEFT")
    tell("1 name, count 300, 75.00 %" in b.status(), f"{label}: the search tells the share of what it finds", b.status())
    tell(b.run("return document.querySelectorAll('.found').length") == 1, f"{label}: and marks it")
    b.shoot(f"{label}-found")
    b.keys(Keys.ESCAPE)
    tell(b.run("return document.querySelectorAll('.found').length") == 0, f"{label}: Escape ends it")
    b.keys("pic_(left|right)$")
    tell("2 names, count 400, 100.00 %" in b.status(), f"{label}: the search takes regular expressions", b.status())
    b.keys(Keys.ESCAPE)


def views(b):
    from selenium.webdriver.common.action_chains import ActionChains
    leaf, key, left = "test-pictures`pic_leaf", "test-pictures", "test-pictures`pic_left"
    b.open("flame.svg", 1200, 700)
    tell(b.top("all") > b.top(left), "views: the root is below", (b.top("all"), b.top(left)))
    ActionChains(b.driver).move_to_element(b.frame(left)).perform()
    tell("test-pictures`pic_left, count 300, 75.00 %; itself 0, 0.00 %" in b.status(), "views: a line has the numbers under the pointer",
         b.status())
    b.press("Icicle")
    tell(b.top("all") < b.top(left), "views: of icicles above", (b.top("all"), b.top(left)))
    b.shoot("icicle")
    b.press("Callers")
    b.press("by execname")
    tell(b.frame(key) is None, "views: a key can be merged")
    tell(b.top(leaf) < b.top(left), "views: callers stand on those they call", (b.top(leaf), b.top(left)))
    tell(b.width(left) == 75, "views: with their shares", b.width(left))
    b.shoot("callers")
    b.open("flame.svg", 500, 300)
    b.frame(left).click()
    tell(b.run("return document.querySelector('input').getBoundingClientRect().top") >= 0, "views: a click leaves the buttons where they are")
    tell(b.text(left) == "pic_left", "views: a frame has its name", b.text(left))
    b.open("flame.svg", 150, 300)
    tell("\u2026" in b.run("return [...document.querySelectorAll('.frame text')].map(t => t.textContent).join(' ')"),
         "views: cut labels end in an ellipsis")
    wide = b.run("return Math.max(...[...document.querySelectorAll('.soft')].map(n => n.scrollWidth - n.clientWidth))")
    tell(wide == 0, "views: notes are not cut", wide)


def flame_keys(b, name, label):
    """Uses no mouse: Tab to the picture, arrows, Enter."""
    from selenium.webdriver.common.keys import Keys
    b.open(name, 400, 700)
    b.shoot(f"{label}-400")
    for _ in range(12):
        b.keys(Keys.TAB)
        if b.focused().startswith("all, "):
            break
    tell(b.focused().startswith("all, "), f"{label}: Tab comes to the picture", b.focused())
    for _ in range(20):
        if b.focused().startswith("test-pictures`pic_left"):
            break
        b.keys(Keys.ARROW_UP)
    tell(b.focused().startswith("test-pictures`pic_left"), f"{label}: arrows go up to the widest frame", b.focused())
    ring = b.run("return getComputedStyle(document.activeElement.querySelector('rect')).strokeWidth")
    tell(ring == "4px", f"{label}: the focus is seen", ring)
    b.keys(Keys.ARROW_RIGHT)
    tell(b.focused().startswith("test-pictures`pic_right"), f"{label}: and to the side", b.focused())
    b.keys(Keys.ENTER)
    tell(b.width("test-pictures`pic_right") == 100, f"{label}: Enter shows it alone", b.width("test-pictures`pic_right"))
    b.keys(Keys.ARROW_DOWN)
    tell(b.focused().startswith("test-pictures`main"), f"{label}: and down", b.focused())
    wide = b.run("return document.documentElement.scrollWidth")
    tell(wide <= 400, f"{label}: 400 pixels are enough", wide)


def column(b, table, number):
    return b.run("""return [...document.querySelectorAll('table.sorts')[arguments[0]].tBodies[0].rows]
        .filter(r => !r.hidden).map(r => r.cells[arguments[1]].textContent)""", table, number)


def page(b):
    from selenium.webdriver.common.keys import Keys
    for scheme in ("light", "dark"):
        b.open("page.html", 1600, 1200, scheme)
        b.shoot(f"page-1600-{scheme}")
        b.check_access(f"page, {scheme}")
    table = b.run("return [...document.querySelectorAll('table.sorts')].findIndex(t => t.caption.textContent.includes('sizes'))")
    values = [int(v) for v in column(b, table, 1)]
    tell(len(values) > 2 and values == sorted(values, reverse=True), "page: a table begins with the largest", values)
    button = b.run("return document.querySelectorAll('table.sorts')[arguments[0]].querySelectorAll('button')[1]", table)
    button.click()
    button.click()
    tell([int(v) for v in column(b, table, 1)] == sorted(values), "page: a click on its head sorts it", column(b, table, 1))
    b.back()
    b.keys(Keys.ENTER)
    keys = [int(v) for v in column(b, table, 0)]
    tell(keys == sorted(keys), "page: so does Enter on the one before, as numbers", keys)
    order = b.run("""return ['9007199254740993', 'a', '-9223372036854775808', '9007199254740992', '1.5', '+9223372036854775807']
        .map(text => [key({ cells: [{ textContent: text }] }, 0), text]).sort((x, y) => compare(x[0], y[0])).map(x => x[1]).join(' ')""")
    tell(order == "-9223372036854775808 1.5 9007199254740992 9007199254740993 +9223372036854775807 a", "page: large numbers are in order", order)
    sort = b.run("return [...document.querySelectorAll('table.sorts')[arguments[0]].querySelectorAll('th[aria-sort]')].map(h => h.textContent)",
                 table)
    tell(len(sort) == 1, "page: assistive technology gets the order", sort)
    b.keys("/")
    b.keys("pic_left")
    tell(b.run("return document.querySelectorAll('.found').length") == 1, "page: the search marks frames")
    tell(len(column(b, table, 0)) == 0 and len(column(b, 0, 0)) == 1, "page: and shows rows that have it", column(b, 0, 0))
    b.keys(Keys.ESCAPE)
    tell(len(column(b, table, 0)) == len(values), "page: Escape shows all again")
    outside = b.run("return performance.getEntriesByType('resource').map(r => r.name)")
    tell(not outside, "page: nothing is loaded", outside)
    b.open("page.html", 400, 1200)
    b.shoot("page-400")
    wide = b.run("return document.documentElement.scrollWidth")
    tell(wide <= 400, "page: 400 pixels are enough", wide)


def heat(b):
    from selenium.webdriver.common.keys import Keys
    b.open("heat.svg", 1600, 500)
    b.shoot("heat-1600")
    b.check_access("heat")
    total = b.run("return [...document.querySelectorAll('.cell title')].reduce((n, t) => n + Number(t.textContent.split(': ')[1]), 0)")
    tell(total == 400, "heat: the cells have all that was counted", total)
    for _ in range(3):
        b.keys(Keys.TAB)
        if " s to " in b.focused():
            break
    first = b.focused()
    b.keys(Keys.ARROW_RIGHT)
    tell(re.match(r"[\d.]+ s to [\d.]+ s, .*: \d+", b.focused()) and b.focused() != first, "heat: arrows go from cell to cell",
         (first, b.focused()))
    tell(b.focused() == b.status(), "heat: the numbers of the cell are shown", b.status())
    b.open("heat.svg", 400, 500)
    b.shoot("heat-400")
    right = b.run("return Math.max(...[...document.querySelectorAll('.cell')].map(c => c.getBoundingClientRect().right))")
    tell(right <= 400, "heat: 400 pixels are enough", right)


def broken(b):
    for name in ("hostile.svg", "hostile.html"):
        b.open(name, 1600, 700)
        text = b.run("return document.documentElement.textContent + [...document.querySelectorAll('.frame')].map(f => f.ariaLabel).join()")
        tell("document.title = \"broken\"" in text and b.driver.title != "broken", f"{name}: hostile names are text", b.driver.title)
        tell(not b.driver.get_log("browser"), f"{name}: the script runs")
        tell(b.run("return document.querySelectorAll('.frame').length") > 20, f"{name}: and all is drawn")


def browser(folder):
    b = Browser(folder)
    try:
        flame(b, "flame.svg", "flame")
        views(b)
        flame_keys(b, "flame.svg", "flame by keys")
        flame_keys(b, "page.html", "page by keys")
        b.open("compared.svg", 1600, 500)
        b.shoot("compared-1600")
        b.check_access("compared")
        page(b)
        heat(b)
        broken(b)
    finally:
        b.driver.quit()


# ---- the terminal

class Terminal:
    def __init__(self, argv, rows=24, columns=100, **env):
        import pty
        import pyte
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update({"TERM": "screen", "LC_ALL": "C.UTF-8"}, **env)
            os.execv(argv[0], argv)
        self.resize(rows, columns)

    def resize(self, rows, columns):
        import fcntl
        import struct
        import termios
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen.resize(rows, columns)

    def read(self, seconds):
        import select
        if not select.select([self.fd], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            return False
        self.raw += data
        self.stream.feed(data)
        return len(data) > 0

    def wait(self, test, seconds=20):
        end = time.monotonic() + seconds
        while time.monotonic() < end and not test():
            self.read(0.05)
        return test()

    def send(self, text):
        os.write(self.fd, text.encode())

    def lines(self):
        return [line.rstrip() for line in self.screen.display]

    def keys(self):
        """Returns the first word after the bar of each row."""
        return [line.split("|")[2].split()[0] for line in self.lines()[2:] if line.count("|") == 2 and line.split("|")[2].strip()]

    def ends(self):
        end = time.monotonic() + 20
        while time.monotonic() < end:
            self.read(0.05)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                while self.read(0.05):
                    pass
                return os.waitstatus_to_exitcode(status)
        os.kill(self.pid, 9)
        os.waitpid(self.pid, 0)
        return None


PROGRAM = """
BEGIN { @n["few"] = sum(3); @n["many"] = sum(40); @n["a\\033[31mb"] = sum(20);
	this->name = "short"; @q_us[this->name, 1, pid & 0] = quantize(1); @q_us[this->name, 1, pid & 0] = quantize(8192);
	this->name = "a long name of a key that other keys follow"; @q_us[this->name, 2, pid & 0] = quantize(1); }
tick-100ms { @n["few"] = sum(1); }
"""


def top(dtrace, *_):
    t = Terminal([dtrace, "--top", "-x", "aggrate=200ms", "-n", PROGRAM], columns=130)
    tell(t.wait(lambda: t.keys() == ["many", "a\\033[31mb", "few"]), "top: rows by value, control characters visible",
         "\n".join(t.lines()))
    row = next((line for line in t.lines() if line.endswith("many")), "")
    tell(row.split()[:1] == ["40"] and "@" * 20 in row, "top: with numbers and bars", row)
    tell(t.wait(lambda: any(line.endswith("few") and 4 < float(line.split()[1]) < 40 for line in t.lines())),
         "top: and what is added in a second", "\n".join(t.lines()))
    t.send("p")
    tell(t.wait(lambda: "PAUSED" in t.lines()[0]), "top: p pauses", t.lines()[0])
    before = t.lines()[1:]
    t.wait(lambda: False, 0.6)
    tell(t.lines()[1:] == before, "top: nothing changes then")
    t.send("s")
    tell(t.wait(lambda: t.keys() == ["few", "a\\033[31mb", "many"]), "top: s sorts by rate", t.keys())
    t.send("s")
    tell(t.wait(lambda: t.keys() == ["a\\033[31mb", "few", "many"]), "top: and by key", t.keys())
    t.send("r")
    tell(t.wait(lambda: t.keys() == ["many", "few", "a\\033[31mb"]), "top: r reverses", t.keys())
    t.send("/MAN\n")
    tell(t.wait(lambda: t.keys() == ["many"]), "top: / filters", t.keys())
    t.send("\x1b")
    tell(t.wait(lambda: len(t.keys()) == 3), "top: Escape ends that", t.keys())
    t.send("\x1bOB")
    tell(t.wait(lambda: t.keys() == ["few", "a\\033[31mb"]), "top: arrows scroll", t.keys())
    t.send("\t")
    tell(t.wait(lambda: "@q_us = quantize()" in t.lines()[0] and "short" in t.lines()[2] and "a long name" in t.lines()[3] and t.lines()[4] == ""),
         "top: Tab: the next one", "\n".join(t.lines()))
    rows = t.lines()[1:4]
    tell(rows[0].split() == ["count", "per", "second", "lowest", "highest", "name", "key", "2", "pid", "&", "0"],
         "top: columns have names", rows[0])
    tell("     1 us |█            █      | 8.19 ms   short " in rows[1], "top: a histogram stands between its bounds", rows[1])
    tell(" a long name of a key that other keys f..  2 " in rows[2], "top: columns stay narrow", rows[2])
    tell(rows[0].find("key 2") == rows[1].rfind("1   ") == rows[2].rfind("2   ") > 0, "top: columns are aligned", "\n".join(rows))
    t.resize(8, 60)
    tell(t.wait(lambda: t.lines()[-1].startswith("q quit")), "top: it takes the size of the terminal", "\n".join(t.lines()))
    t.send("q")
    tell(t.ends() == 0 and b"\x1b>" in t.raw, "top: q ends it, and the terminal is as it was", t.raw[-100:])
    # Two processes with one stack: the first one has ended.
    script = tempfile.NamedTemporaryFile("w", suffix=".sh")
    script.write("(for i in $(seq 200); do echo; done) >/dev/null; for i in $(seq 50); do sleep 0.1; echo >/dev/null; done")
    script.flush()
    t = Terminal([dtrace, "--top", "-x", "aggrate=200ms", "-n", 'syscall::write:entry /progenyof($target) && execname == "sh"/ { @[ustack(1)] = count(); }',
                  "-c", "sh " + script.name])

    def rates():
        rows = [line.split() for line in t.lines() if "`" in line]
        return [float(row[1]) for row in rows] if [row[0] for row in rows[:1]] == ["200"] else []

    tell(t.wait(lambda: len(rates()) == 2 and rates()[0] == 0 and 4 < rates()[1] < 40), "top: each of two rows with one text has its own growth",
         "\n".join(t.lines()))
    t.send("q")
    t.ends()
    t = Terminal([dtrace, "--top", "-n", 'tick-100ms { @ = count(); printf("nobody sees this"); *(int *)0 = 1; } tick-100ms { cat("/no\\033]0;T"); }'], TERM="xterm")
    t.wait(lambda: b"error on enabled probe" in t.raw and b"could not read" in t.raw)
    os.kill(t.pid, 15)
    status = t.ends()
    end = t.raw.rfind(b"\x1b[?1049l")
    tell(status == 0 and end > 0, "top: SIGTERM gives the terminal back", t.raw[-200:])
    tell(re.search(rb"@ = count\(\) .*\n +value +per second.*\n +[1-9]\d* ", t.raw[end:]), "top: the last table is left", t.raw[end:])
    tell(b"error on enabled probe" in t.raw[end:], "top: messages are there behind it", t.raw[end:])
    tell(b"/no\\033]0;T" in t.raw and b"\033]0;T" not in t.raw, "top: and the terminal does not obey them", t.raw[end:])
    tell(b"nobody sees this" not in t.raw, "top: what the program prints is not on the screen")


if __name__ == "__main__":
    {"frames": frames, "hostile": hostile, "valid": valid, "browser": browser, "top": top}[sys.argv[1]](*sys.argv[2:])
