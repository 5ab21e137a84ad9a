/* option: amin=Evolving/Evolving/Common */
BEGIN { trace(curthread->nosuch); }
/* error: line 2: attributes of the program (Unstable/Unstable/Common) are less than the minimum (Evolving/Evolving/Common) */
