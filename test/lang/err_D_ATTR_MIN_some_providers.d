/* option: amin=Evolving/Evolving/Common */
te*:::none { }
