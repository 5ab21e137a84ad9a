BEGIN { @[stack(pid)] = count(); }
