provider pppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp { probe a(); };
/* error: line 1: provider name is not valid: pppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp */
