"""What differs between operating systems: locks on files, and what the machine has."""
