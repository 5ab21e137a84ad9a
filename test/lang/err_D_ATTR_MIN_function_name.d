/* option: amin=Stable/Stable/Common */
BEGIN { trace(curthread); }
/* error: line 2: attributes of the program (Unstable/Unstable/Common) are less than the minimum (Stable/Stable/Common) */
