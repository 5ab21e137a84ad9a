BEGIN { @a = count(); printf("%@d", @a); }
/* error: line 1: %@ conversion requires an aggregation: conversion #1 of printf( ) */
