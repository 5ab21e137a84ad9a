BEGIN { printf("%d %d", 1); }
/* error: line 1: printf( ) prototype mismatch: conversion #2 (%d) has no argument */
