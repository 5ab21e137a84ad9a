/* -n */
BEGIN /1/
