#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""profiles.py collect FOLDER | stacks TYPE | lines | facts TYPE

collect: a collector that prints its port, and puts the path and the body of request N into FOLDER/N.path and FOLDER/N.
It answers with the status in FOLDER/status.  The others read a request that protoc has decoded.  stacks: prints "total N",
and a line "STACK VALUE" for each stack of the profile with this type, from the root on, as formats.py.  lines: prints
"FUNCTION FILE:LINE TYPE" of each location, and "FILE BUILD-ID" of each mapping.  facts: prints unit, attributes and times of
the profile, and the attributes of its source."""
import collections
import http.server
import re
import sys


def collect(folder):
    class Collector(http.server.BaseHTTPRequestHandler):
        number = 0

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            name = f"{folder}/{Collector.number}"
            Collector.number += 1
            with open(name, "wb") as file:
                file.write(body)
            with open(name + ".path", "w", encoding="ascii") as file:
                print(self.path, file=file)
            with open(folder + "/status", encoding="ascii") as file:
                self.send_response(int(file.read()))
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *args):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    print(server.server_port, flush=True)
    server.serve_forever()


class Message(collections.defaultdict):
    """A message: lists of values by name."""

    def __init__(self, lines):
        super().__init__(list)
        for line in lines:
            if line.strip() == "}":
                return
            begins = re.fullmatch(r" *([a-z_]+) \{", line)
            if begins:
                self[begins[1]].append(Message(lines))
                continue
            name, value = re.fullmatch(r" *([a-z_]+): (.*)", line).groups()
            self[name].append(unquoted(value) if value.startswith('"') else int(value))

    def one(self, name, absent=0):
        values = self.get(name, [absent])
        assert len(values) == 1, (name, values)
        return values[0]


def unquoted(text):
    """Text as protoc quotes it: bytes as three octal digits."""
    escapes = {"n": 10, "r": 13, "t": 9}
    data = re.sub(rb"\\([0-7]{3}|.)", lambda m: bytes([int(m[1], 8) if m[1].isdigit() else escapes.get(m[1].decode(), m[1][0])]),
                  text[1:-1].encode())
    return data.decode()


class Request:
    def __init__(self, lines):
        top = Message(lines)
        self.tables = top.one("dictionary")
        self.strings = self.tables["string_table"]
        assert self.strings[0] == "" and len(set(self.strings)) == len(self.strings)
        for name in ("mapping_table", "location_table", "function_table", "link_table", "attribute_table", "stack_table"):
            assert not self.tables[name][0], name
        [of] = top["resource_profiles"]
        self.resource = {a.one("key"): a.one("value").one("string_value") for a in of.one("resource")["attributes"]}
        [scope] = of["scope_profiles"]
        assert scope.one("scope").one("name") == "dtrace"
        self.profiles = scope["profiles"]
        self.used = collections.Counter()

    def entry(self, table, number):
        assert 0 < number < len(self.tables[table]), (table, number)
        return self.tables[table][number]

    def text(self, message, name):
        return self.strings[message.one(name)]

    def attributes(self, message):
        pairs = [self.entry("attribute_table", n) for n in message["attribute_indices"]]
        found = {self.text(p, "key_strindex"): p.one("value").one("string_value", "") for p in pairs}
        assert len(found) == len(pairs)
        return found

    def profile(self, kind):
        [found] = [p for p in self.profiles if self.text(p.one("sample_type"), "type_strindex") == kind]
        return found

    def function(self, location):
        return self.entry("function_table", location.one("lines").one("function_index"))

    def stack(self, sample):
        locations = [self.entry("location_table", n) for n in
                     self.entry("stack_table", sample.one("stack_index"))["location_indices"]]
        return list(self.attributes(sample).values()) + [self.text(self.function(l), "name_strindex") for l in reversed(locations)]

    def stacks(self, kind):
        stacks = collections.Counter()
        for sample in self.profile(kind)["samples"]:
            stacks[";".join(frame.replace(";", ":") for frame in self.stack(sample))] += sample.one("values")
        print("total", sum(stacks.values()))
        print("\n".join(sorted(f"{stack} {value}" for stack, value in stacks.items())))

    def lines(self):
        for location in self.tables["location_table"][1:]:
            mapping, function = location.one("mapping_index"), self.function(location)
            assert not mapping or self.entry("mapping_table", mapping)
            print(self.text(function, "name_strindex"),
                  f"{self.text(function, 'filename_strindex')}:{location.one('lines').one('line')}", *self.attributes(location).values())
        for mapping in self.tables["mapping_table"][1:]:
            print(self.text(mapping, "filename_strindex"), self.attributes(mapping).get("process.executable.build_id.gnu", ""))

    def facts(self, kind):
        profile = self.profile(kind)
        print("unit:", self.text(profile.one("sample_type"), "unit_strindex"))
        for name in ("time_unix_nano", "duration_nano"):
            print(f"{name}: {profile.one(name)}")
        for name, value in (*self.attributes(profile).items(), *self.resource.items()):
            print(f"{name}: {value}")


def main(what, *args):
    if what == "collect":
        collect(*args)
    else:
        getattr(Request(iter(sys.stdin.read().splitlines())), what)(*args)


if __name__ == "__main__":
    main(*sys.argv[1:])
