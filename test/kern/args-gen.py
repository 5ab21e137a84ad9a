#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""args-gen.py LANGUAGE SEED FUNCTIONS PROGRAM SCRIPT: writes a random program, and a D script that shows its arguments.

LANGUAGE is c, c++, rust or go.  The program calls functions with random parameters; each prints a line
"fN pM VALUES" for each parameter, and "fN r VALUES" for its result.  The script has a clause for each of
these lines, which prints the same.  Floating-point numbers are passed, but not shown: D has none."""
import random
import sys

INTS = {
    "c": {"signed char": (8, 1), "unsigned char": (8, 0), "short": (16, 1), "unsigned short": (16, 0), "int": (32, 1),
          "unsigned int": (32, 0), "long": (64, 1), "unsigned long": (64, 0)},
    "rust": {"i8": (8, 1), "u8": (8, 0), "i16": (16, 1), "u16": (16, 0), "i32": (32, 1), "u32": (32, 0), "i64": (64, 1),
             "u64": (64, 0)},
    "go": {"int8": (8, 1), "uint8": (8, 0), "int16": (16, 1), "uint16": (16, 0), "int32": (32, 1), "uint32": (32, 0),
           "int64": (64, 1), "uint64": (64, 0)},
}
FLOATS = {"c": ["float", "double"], "rust": ["f32", "f64"], "go": ["float32", "float64"]}


class Int:
    def __init__(self, name, bits, signed):
        self.name, self.bits, self.signed = name, bits, signed

    def value(self):
        v = random.choice([random.getrandbits(self.bits), random.randrange(4), -1 - random.randrange(4)])
        v &= (1 << self.bits) - 1
        return v - (1 << self.bits) if self.signed and v >> (self.bits - 1) else v

    def leaves(self, path, value):
        yield path, self, value


class Field(Int):
    """A bit-field."""
    def __init__(self, of, bits):
        super().__init__(of.name, bits, of.signed)


class Float:
    def __init__(self, name):
        self.name = name

    def value(self):
        return float(random.randrange(-1000, 1000)) / 4

    def leaves(self, path, value):
        return iter(())


class Array:
    def __init__(self, of, n):
        self.of, self.n = of, n

    def value(self):
        return [self.of.value() for _ in range(self.n)]

    def leaves(self, path, value):
        for i, v in enumerate(value):
            yield from self.of.leaves(f"{path}[{i}]", v)


class Struct:
    """has_copy: C++ passes its address, because it has a constructor."""
    def __init__(self, name, members, has_copy=False):
        self.name, self.members, self.has_copy = name, members, has_copy

    def value(self):
        return [t.value() for _, t in self.members]

    def leaves(self, path, value):
        for (name, t), v in zip(self.members, value):
            yield from t.leaves(f"{path}.{name}", v)


class Pointer:
    """A pointer to a structure; is_reference: a reference of C++ or Rust."""
    def __init__(self, to, is_reference):
        self.to, self.is_reference = to, is_reference

    def value(self):
        return self.to.value()

    def leaves(self, path, value):
        for p, t, v in self.to.leaves(path, value):
            yield ("*" + p if p == path else p.replace(path + ".", path + "->", 1)), t, v


class Language:
    def __init__(self, name):
        self.name = name
        self.base = "c" if name == "c++" else name
        self.structs = []

    def an_int(self):
        return Int(n := random.choice(list(INTS[self.base])), *INTS[self.base][n])

    def member(self, level):
        what = random.randrange(12)
        if what < 6:
            return self.an_int()
        if what < 7:
            return Float(random.choice(FLOATS[self.base]))
        if what < 9 and self.base == "c":
            t = self.an_int()
            return Field(t, random.randrange(1, t.bits + 1))
        if what < 10:
            return Array(self.an_int(), random.randrange(1, 4))
        if what < 11 and self.structs and level < 2:
            return random.choice(self.structs)
        return self.an_int()

    def struct(self):
        members = [(f"m{i}", self.member(1)) for i in range(random.choice([1, 1, 2, 2, 3, 4, 6]))]
        s = Struct(f"s{len(self.structs)}", members, self.name == "c++" and random.randrange(4) == 0)
        if any(isinstance(t, Struct) and t.has_copy for _, t in members):
            s.has_copy = True
        self.structs.append(s)
        return s

    def parameter(self):
        what = random.randrange(12)
        if what < 5:
            return self.an_int()
        if what < 6:
            return Float(random.choice(FLOATS[self.base]))
        if what < 8:
            return Pointer(random.choice(self.structs), self.name == "rust" or (self.name == "c++" and what == 7))
        return random.choice(self.structs)

    def result(self):
        return random.choice([self.an_int(), self.an_int(), random.choice(self.structs)])


# ---- C and C++

def c_declare(t, name):
    if isinstance(t, Field):
        return f"{t.name} {name} : {t.bits}"
    if isinstance(t, Array):
        return f"{t.of.name} {name}[{t.n}]"
    if isinstance(t, Struct):
        return f"struct {t.name} {name}"
    if isinstance(t, Pointer):
        return f"struct {t.to.name} {'&' if t.is_reference else '*'}{name}"
    return f"{t.name} {name}"


def c_literal(t, v):
    if isinstance(t, Array):
        return "{" + ", ".join(c_literal(t.of, x) for x in v) + "}"
    if isinstance(t, (Struct, Pointer)):
        s = t.to if isinstance(t, Pointer) else t
        return "{" + ", ".join(c_literal(m, x) for (_, m), x in zip(s.members, v)) + "}"
    if isinstance(t, Float):
        return str(v)
    return f"({t.name}){v & (2 ** 64 - 1)}ULL"


def c_program(lang, functions):
    out = ["#include <stdio.h>", "#define NI __attribute__((noinline))", "static int argument;"]
    for s in lang.structs:
        body = " ".join(c_declare(t, n) + ";" for n, t in s.members)
        if s.has_copy:
            body += f" {s.name}() = default; {s.name}(const {s.name} &o); ~{s.name}() {{ asm volatile(\"\"); }}"
        out.append(f"struct {s.name} {{ {body} }};")
        if s.has_copy:
            copies = []
            for n, t in s.members:
                copies.append(f"for (int i = 0; i < {t.n}; i++) {n}[i] = o.{n}[i];" if isinstance(t, Array) else f"{n} = o.{n};")
            out.append(f"{s.name}::{s.name}(const {s.name} &o) {{ {' '.join(copies)} }}")
            out[-1] = out[-1].replace("{ ", "{ asm volatile(\"\"); ", 1)
    if lang.name == "c++":
        out.append('extern "C" {')
    for f in functions:
        static = "static " if f["static"] else ""
        out.append(f"{static}NI {c_declare(f['result'], '')}{f['name']}({', '.join(c_declare(t, f'p{i}') for i, t in enumerate(f['params'])) or 'void'})")
        out.append("{")
        for i, t in enumerate(f["params"]):
            for path, leaf, _ in leaves_of(t, f"p{i}", f["values"][i]):
                is_reference = isinstance(t, Pointer) and t.is_reference
                out.append(c_show(path.replace("->", ".").removeprefix("*") if is_reference else path, leaf))
            out.append(f'\tprintf("{f["name"]} p{i}%s\\n", text); n = 0; text[0] = 0;')
        r = f["result"]
        if isinstance(r, Struct):
            out.append(f"\t{c_declare(r, 'res')} = {{}};")
            for path, leaf, v in r.leaves("res", f["returns"]):
                out.append(f"\t{path} = {c_literal(Int(leaf.name, leaf.bits, leaf.signed), v)};")
        else:
            out.append(f"\t{c_declare(r, 'res')} = {c_literal(r, f['returns'])};")
        for path, leaf, _ in r.leaves("res", f["returns"]):
            out.append(c_show(path, leaf))
        out.append(f'\tprintf("{f["name"]} r%s\\n", text); n = 0; text[0] = 0;')
        out.append("\treturn res;")
        out.append("}")
    if lang.name == "c++":
        out.append("}")
    out.insert(3, "static char text[4096]; static int n;")
    out.append("int main(int argc, char **argv)\n{\n\targument = argc;\n\t(void)argument;")
    for f in functions:
        out.append("\t{")
        args = []
        for i, (t, v) in enumerate(zip(f["params"], f["values"])):
            s = t.to if isinstance(t, Pointer) else t
            if isinstance(s, Struct) and s.has_copy:
                out.append(f"\t\tstruct {s.name} a{i};")
                out.append(c_assign(s, f"a{i}", v))
            else:
                out.append(f"\t\t{c_declare(s, f'a{i}')} = {c_literal(s, v)};")
            hide = "" if f["static"] else f" asm volatile(\"\" : \"+m\"(a{i}));"
            out[-1] += hide
            args.append(("&" if isinstance(t, Pointer) and not t.is_reference else "") + f"a{i}")
        out.append(f"\t\t{f['name']}({', '.join(args)});")
        out.append("\t}")
    out.append("\treturn 0;\n}")
    return "\n".join(out) + "\n"


def c_assign(s, path, value):
    lines = []
    for (n, t), v in zip(s.members, value):
        if isinstance(t, Struct):
            lines.append(c_assign(t, f"{path}.{n}", v))
        elif isinstance(t, Array):
            lines += [f"\t\t{path}.{n}[{i}] = {c_literal(t.of, x)};" for i, x in enumerate(v)]
        else:
            lines.append(f"\t\t{path}.{n} = {c_literal(t if not isinstance(t, Field) else Int(t.name, t.bits, t.signed), v)};")
    return "\n".join(lines)


def c_show(path, leaf):
    kind = "lld" if leaf.signed else "llu"
    cast = "long long" if leaf.signed else "unsigned long long"
    return f'\tn += sprintf(text + n, " %{kind}", ({cast})({path}));'


# ---- Rust

def rust_type(t):
    if isinstance(t, Array):
        return f"[{t.of.name}; {t.n}]"
    if isinstance(t, Pointer):
        return f"&S{t.to.name[1:]}"
    return f"S{t.name[1:]}" if isinstance(t, Struct) else t.name


def rust_literal(t, v):
    if isinstance(t, Array):
        return "[" + ", ".join(rust_literal(t.of, x) for x in v) + "]"
    if isinstance(t, Pointer):
        return "&" + rust_literal(t.to, v)
    if isinstance(t, Struct):
        return f"{rust_type(t)} {{ " + ", ".join(f"{n}: {rust_literal(m, x)}" for (n, m), x in zip(t.members, v)) + " }"
    return f"({v}{t.name})" if isinstance(t, Int) else f"({v}_{t.name})"


def rust_program(lang, functions):
    out = ["#![allow(warnings)]", "use std::hint::black_box;", "use std::fmt::Write;"]
    for s in lang.structs:
        out.append(f"#[derive(Clone, Copy)] pub struct {rust_type(s)} {{ " + ", ".join(f"{n}: {rust_type(t)}" for n, t in s.members) + " }")
    for f in functions:
        params = ", ".join(f"p{i}: {rust_type(t)}" for i, t in enumerate(f["params"]))
        out.append(f"#[no_mangle] #[inline(never)] pub fn {f['name']}({params}) -> {rust_type(f['result'])} {{")
        for i, t in enumerate(f["params"]):
            out.append("\tlet mut s = String::new();")
            for path, _, _ in leaves_of(t, f"p{i}", f["values"][i]):
                out.append(f'\twrite!(s, " {{}}", {path.replace("->", ".")});')
            out.append(f'\tprintln!("{f["name"]} p{i}{{}}", s);')
        out.append(f"\tlet res = black_box({rust_literal(f['result'], f['returns'])});\n\tlet mut s = String::new();")
        for path, _, _ in f["result"].leaves("res", f["returns"]):
            out.append(f'\twrite!(s, " {{}}", {path});')
        out.append(f'\tprintln!("{f["name"]} r{{}}", s);\n\tres\n}}')
    out.append("fn main() {")
    for f in functions:
        args = ", ".join(rust_literal(t, v) if f["static"] else f"black_box({rust_literal(t, v)})" for t, v in zip(f["params"], f["values"]))
        out.append(f"\tblack_box({f['name']}({args}));")
    out.append("}")
    return "\n".join(out) + "\n"


# ---- Go

def go_type(t):
    if isinstance(t, Array):
        return f"[{t.n}]{t.of.name}"
    if isinstance(t, Pointer):
        return f"*{t.to.name}"
    return t.name


def go_literal(t, v):
    if isinstance(t, Array):
        return go_type(t) + "{" + ", ".join(go_literal(t.of, x) for x in v) + "}"
    if isinstance(t, Pointer):
        return "&" + go_literal(t.to, v)
    if isinstance(t, Struct):
        return f"{t.name}{{" + ", ".join(go_literal(m, x) for (_, m), x in zip(t.members, v)) + "}"
    return f"{t.name}({v})"


def go_print(function, what, values):
    return "\tfmt.Println(" + ", ".join([f'"{function} {what}"'] + values) + ")"


def go_program(lang, functions):
    out = ["package main", 'import "fmt"', "var sink any"]
    for s in lang.structs:
        out.append(f"type {s.name} struct {{ " + "; ".join(f"{n} {go_type(t)}" for n, t in s.members) + " }")
    for f in functions:
        params = ", ".join(f"p{i} {go_type(t)}" for i, t in enumerate(f["params"]))
        out.append(f"//go:noinline\nfunc {f['name']}({params}) {go_type(f['result'])} {{")
        for i, t in enumerate(f["params"]):
            values = [path.replace("->", ".") for path, _, _ in leaves_of(t, f"p{i}", f["values"][i])]
            out.append(go_print(f["name"], f"p{i}", values))
        out.append(f"\tres := {go_literal(f['result'], f['returns'])}")
        values = [path for path, _, _ in f["result"].leaves("res", f["returns"])]
        out.append(go_print(f["name"], "r", values))
        out.append("\treturn res\n}")
    out.append("func main() {")
    for f in functions:
        args = ", ".join(go_literal(t, v) for t, v in zip(f["params"], f["values"]))
        out.append(f"\tsink = {f['name']}({args})")
    out.append("}")
    return "\n".join(out) + "\n"


# ---- D

def leaves_of(t, path, value):
    return t.leaves(path, value)


def d_script(lang, functions):
    out = []
    prefix = "main." if lang.name == "go" else ""
    for f in functions:
        things = [(f"p{i}", "entry", i, t, v) for i, (t, v) in enumerate(zip(f["params"], f["values"]))]
        things.append(("r", "return", 1, f["result"], f["returns"]))
        for what, probe, index, t, v in things:
            shown = list(leaves_of(t, f"args[{index}]", v))
            if not shown:
                continue
            formats = "".join(" %d" if leaf.signed else " %u" for _, leaf, _ in shown)
            values = "".join(f", {path}" for path, _, _ in shown)
            out.append(f'pid$target:a.out:{prefix}{f["name"]}:{probe} {{ printf("{f["name"]} {what}{formats}\\n"{values}); }}')
    return "\n".join(out) + "\n"


def main():
    language, seed, count, program, script = sys.argv[1:]
    random.seed(f"{language} {seed}")
    lang = Language(language)
    for _ in range(12):
        lang.struct()
    functions = []
    for i in range(int(count)):
        params = [lang.parameter() for _ in range(random.randrange(1, 10))]
        result = lang.result()
        functions.append({"name": f"f{i}", "params": params, "values": [t.value() for t in params], "result": result,
                          "returns": result.value(), "static": random.randrange(3) == 0})
    make = {"c": c_program, "c++": c_program, "rust": rust_program, "go": go_program}[language]
    with open(program, "w", encoding="ascii") as f:
        f.write(make(lang, functions))
    with open(script, "w", encoding="ascii") as f:
        f.write(d_script(lang, functions))


main()
