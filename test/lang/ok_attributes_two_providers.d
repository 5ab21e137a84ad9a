#pragma D attributes Stable/Stable/Common provider later args
#pragma D attributes Stable/Stable/Common provider first name
#pragma D attributes Evolving/Evolving/Common provider later provider
provider first { probe a(); };
provider later { probe a(); };
