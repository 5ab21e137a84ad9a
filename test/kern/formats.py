#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""formats.py stacks FORMAT FILE | facts FORMAT FILE | lines FORMAT FILE

Formats are folded, speedscope, pprof and firefox.  stacks: prints "total N", and a line "STACK VALUE" for each stack,
from the root on with semicolons between frames; labels are frames below.  facts: prints facts about the run.  lines:
prints "FUNCTION FILE:LINE" of each location of pprof and of speedscope, and "FILE BUILD-ID" of each mapping of pprof."""
import collections
import gzip
import json
import struct
import sys


def fields(data):
    """Yields the fields of a message of Protocol Buffers: number, and the value or the bytes."""
    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value & (1 << 64) - 1

    at = 0
    while at < len(data):
        tag = varint()
        if tag & 7 == 0:
            yield tag >> 3, varint()
        else:
            assert tag & 7 == 2, tag
            size = varint()
            assert at + size <= len(data)
            yield tag >> 3, data[at:at + size]
            at += size


def signed(value):
    return struct.unpack("<q", struct.pack("<Q", value))[0]


class Pprof:
    """Fields have the numbers of profile.proto."""

    def __init__(self, path):
        top = collections.defaultdict(list)
        with gzip.open(path) as file:
            for number, value in fields(file.read()):
                top[number].append(value)
        self.strings = [text.decode() for text in top[6]]
        assert self.strings[0] == "" and len(set(self.strings)) == len(self.strings)
        self.mappings, self.functions, self.locations = (self.table(top[n]) for n in (3, 5, 4))
        self.samples = [self.sample(data) for data in top[2]]
        [kind] = top[1]
        self.type = [self.strings[n] for _, n in fields(kind)]
        self.facts = {"time": top[9][0], "duration": top[10][0]}
        self.facts.update(self.strings[n].split(": ", 1) for n in top[13])

    @staticmethod
    def table(entries):
        """Entries by id.  The ids are different, and not 0."""
        found = [dict(fields(data)) for data in entries]
        by_id = {entry[1]: entry for entry in found}
        assert len(by_id) == len(found) and 0 not in by_id
        return by_id

    def name(self, location):
        line = dict(fields(self.locations[location][4]))
        mapping = self.locations[location][2]
        assert not mapping or mapping in self.mappings
        return self.strings[self.functions[line[1]][2]]

    def sample(self, data):
        value, frames, labels = None, [], []
        for number, field in fields(data):
            if number == 1:
                frames.insert(0, self.name(field))
            elif number == 2:
                value = signed(field)
            else:
                key, text = (self.strings[n] for _, n in fields(field))
                assert number == 3 and key
                labels.append(text)
        return labels + frames, value

    def lines(self):
        for location in self.locations.values():
            line = dict(fields(location[4]))
            function = self.functions[line[1]]
            yield f"{self.strings[function[2]]} {self.strings[function[4]]}:{line[2]}"
        for mapping in self.mappings.values():
            yield f"{self.strings[mapping[5]]} {self.strings[mapping[6]]}"


class Firefox:
    """Tables and columns of version 58 of the processed profile format."""

    def __init__(self, path):
        with gzip.open(path) as file:
            profile = json.load(file)
        meta = profile["meta"]
        assert meta["preprocessedProfileVersion"] == 58 and meta["categories"][0]["color"] == "grey"
        self.facts = {"time": meta["startTime"]}
        self.facts.update((e["label"], e["value"]) for e in meta["extra"][0]["entries"])
        [self.thread] = profile["threads"]
        self.libs, self.strings = profile["libs"], profile["shared"]["stringArray"]
        for table in (*(self.thread[t] for t in ("samples", "markers", "stackTable", "frameTable", "funcTable", "resourceTable",
                                                 "nativeSymbols")), profile["shared"]["sources"]):
            for column in table.values():
                assert not isinstance(column, list) or len(column) == table["length"], table
        samples = self.thread["samples"]
        assert samples["time"] == sorted(set(samples["time"]))
        self.facts["unit"] = samples["weightType"]
        self.samples = [(self.stack(s), w) for s, w in zip(samples["stack"], samples["weight"])]

    def stack(self, stack):
        table, frames = self.thread["stackTable"], []
        while stack is not None:
            frames.insert(0, self.frame(table["frame"][stack]))
            assert table["prefix"][stack] is None or table["prefix"][stack] < stack
            stack = table["prefix"][stack]
        return frames

    def frame(self, frame):
        func = self.thread["frameTable"]["func"][frame]
        name = self.strings[self.thread["funcTable"]["name"][func]]
        resource = self.thread["funcTable"]["resource"][func]
        if resource == -1:
            return name
        return f"{self.libs[self.thread['resourceTable']['lib'][resource]]['name']}`{name}"


class Speedscope:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        frames, [profile] = document["shared"]["frames"], document["profiles"]
        self.facts = {"name": document["name"], "unit": profile["unit"]}
        self.frames = frames
        self.samples = [([frames[i]["name"] for i in s], w) for s, w in zip(profile["samples"], profile["weights"])]
        assert profile["endValue"] == sum(profile["weights"])
        assert {i for s in profile["samples"] for i in s} == set(range(len(frames))), "a frame that no sample has"


    def lines(self):
        return (f"{f['name']} {f['file']}:{f['line']}" for f in self.frames if "file" in f)


class Folded:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            lines = [line.rstrip("\n").rsplit(" ", 1) for line in file]
        self.facts = {}
        self.samples = [(stack.split(";"), int(value)) for stack, value in lines]


READERS = {"pprof": Pprof, "firefox": Firefox, "speedscope": Speedscope, "folded": Folded}


def main(what, *args):
    reader = READERS[args[0]](args[1])
    if what == "lines":
        print("\n".join(sorted(set(reader.lines()))))
        return
    if what == "facts":
        print("\n".join(f"{name}: {value}" for name, value in reader.facts.items()))
        return
    stacks = collections.Counter()
    for frames, value in reader.samples:
        stacks[";".join(frame.replace(";", ":") for frame in frames)] += value
    print("total", sum(stacks.values()))
    print("\n".join(sorted(f"{stack} {value}" for stack, value in stacks.items())))


if __name__ == "__main__":
    main(*sys.argv[1:])
