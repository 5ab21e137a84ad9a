#error stop
BEGIN { }
