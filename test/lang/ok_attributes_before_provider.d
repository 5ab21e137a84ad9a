#pragma D attributes Stable/Stable/Common provider mine provider
provider mine { probe a(); };
BEGIN { }
/* rows: #pragma-attributes */
