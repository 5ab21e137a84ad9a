/* -i */
BEGIN
