BEGIN { trace(1); // no
}
