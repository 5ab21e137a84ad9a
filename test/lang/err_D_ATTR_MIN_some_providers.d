/* option: amin=Evolving/Evolving/Common */
te*:::none { }
/* error: line 2: attributes of the program (Unstable/Unstable/Common) are less than the minimum (Evolving/Evolving/Common) */
