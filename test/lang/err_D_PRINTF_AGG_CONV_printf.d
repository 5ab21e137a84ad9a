BEGIN { printf("%@d", 1); }
/* error: line 1: %@ conversion requires an aggregation: conversion #1 of printf( ) */
