"""Code that depends on the operating system: file locks, resources and processes."""
