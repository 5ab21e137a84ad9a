BEGIN { printf("%*d"); }
/* error: line 1: printf( ) prototype mismatch: conversion #1 (*) has no argument */
