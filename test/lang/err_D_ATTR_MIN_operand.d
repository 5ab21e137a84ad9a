/* option: amin=Evolving/Evolving/Common */
BEGIN { trace(curthread->nosuch); }
