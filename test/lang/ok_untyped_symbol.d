/* A symbol without a type is an integer of 8 bytes. */
BEGIN { trace(`untyped + 1); trace(&`untyped); }
