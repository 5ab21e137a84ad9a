/* option: amin=Stable/Stable/Common */
test:::int { }
