BEGIN { denormalize(); }
