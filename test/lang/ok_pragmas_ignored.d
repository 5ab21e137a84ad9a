#pragma once
#pragma D ident "x"
#pragma D line 3
#ident "x"
#pragma
#
BEGIN { }
