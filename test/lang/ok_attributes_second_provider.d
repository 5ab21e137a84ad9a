/* rows: #pragma-attributes */
provider mine { probe a(); };
provider other { probe a(); };
#pragma D attributes Stable/Stable/Common provider mine provider
#pragma D attributes Stable/Stable/Common provider other args
BEGIN { }
