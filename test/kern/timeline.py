#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""timeline.py FILE [--killed]: reads Chrome's events, checks the rules of the format, and prints what it has: a
line for each slice, span, instant, counter and flow.  --killed: slices and spans may lack their ends.

Slices of a thread nest.  A slice is "slice PROCESS NAME ARGUMENTS", with the arguments of its begin and end."""
import collections
import json
import sys

with open(sys.argv[1]) as file:
    events = json.load(file)["traceEvents"]
names, open_slices, spans, lines = {}, collections.defaultdict(list), {}, []


def shown(event, begin):
    args = {**begin.get("args", {}), **event.get("args", {})}
    return " ".join([names.get(begin["pid"], "?"), begin["name"],
                     *(f"{k}={v}" for k, v in args.items() if k not in ("cpu", "end_cpu", "stack", "end_stack"))])


for event in events:
    assert isinstance(event["pid"], int) and isinstance(event["tid"], int) and event["cat"], event
    if event["ph"] == "M":
        if event["name"] == "process_name":
            names[event["pid"]] = event["args"]["name"]
        continue
    assert isinstance(event["ts"], (int, float)), event

# Viewers sort by time; ends come before beginnings only in the order of the list.
for event in sorted((e for e in events if e["ph"] != "M"), key=lambda e: e["ts"]):
    thread = event["pid"], event["tid"]
    match event["ph"]:
        case "B":
            open_slices[thread].append(event)
        case "E":
            begin = open_slices[thread].pop()
            assert begin["name"] == event["name"] and begin["ts"] <= event["ts"], event
            lines.append("slice " + shown(event, begin))
        case "b":
            assert event["id"] not in spans, event
            spans[event["id"]] = event
        case "e":
            begin = spans.pop(event["id"])
            assert begin["name"] == event["name"] and begin["pid"] == event["pid"], event
            lines.append("span " + shown(event, begin))
        case "i":
            lines.append("instant " + shown(event, event))
        case "C":
            lines.append(f"counter {event['name']} {event['args']['value']}")
        case "s" | "t" | "f":
            lines.append(f"flow {event['ph']} {event['name']}")
        case _:
            assert False, event
if "--killed" not in sys.argv:
    assert not spans and not any(open_slices.values()), "open slices"
print(*lines, sep="\n")
