/* option: amin=Stable/Stable/Common */
test:::int { trace(probename); }
/* error: line 2: attributes of the program (Evolving/Evolving/ISA) are less than the minimum (Stable/Stable/Common) */
