/* option: amin=Evolving/Evolving/Common */
BEGIN { }
