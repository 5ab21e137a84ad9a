provider p { prob a(); };
/* error: line 1: syntax error near "prob" */
