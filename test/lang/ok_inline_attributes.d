/* option: amin=Unstable/Unstable/Common */
inline int two = 2;
BEGIN { trace(two); }
