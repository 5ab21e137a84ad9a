#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
#
# offloads.py DEVICE NAME=on|off...: switches offloads of a network device in this namespace, as ethtool does.
import ctypes
import fcntl
import socket
import struct
import sys

# include/uapi/linux/ethtool.h
COMMANDS = {"tx": 0x17, "tso": 0x1F, "gso": 0x24, "gro": 0x2C}
GET_FLAGS, SET_FLAGS = 0x25, 0x26
FLAGS = {"txvlan": 1 << 7, "rxvlan": 1 << 8}
SIOCETHTOOL = 0x8946


def call(device, command, value):
    data = ctypes.create_string_buffer(struct.pack("II", command, value))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        fcntl.ioctl(s, SIOCETHTOOL, struct.pack("16sQ16x", device.encode(), ctypes.addressof(data)))
    return struct.unpack("II", data.raw[:8])[1]


device = sys.argv[1]
for word in sys.argv[2:]:
    name, value = word.split("=")
    if name in FLAGS:
        flags = call(device, GET_FLAGS, 0)
        call(device, SET_FLAGS, flags | FLAGS[name] if value == "on" else flags & ~FLAGS[name])
    else:
        call(device, COMMANDS[name], value == "on")
