"""What differs between operating systems: file locks, resources and processes."""
