BEGIN { @a[1] = count(); printa("%d %d", @a); }
/* error: line 1: printa( ) prototype mismatch: conversion #2 (%d) has no key */
