#!/usr/sbin/dtrace -s
#pragma D option quiet
#pragma ident "x"
#ident "y"
#pragma once
# 5 "file.d"
BEGIN { }
/* rows: #line #ident */
