"""Copy: how close to the device's own memcpy a kernel comes."""
