#pragma D option dialect=oracle
#pragma D option dialect=illumos
BEGIN { stack(1, 2); }
