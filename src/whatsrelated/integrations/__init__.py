"""Other people's programs: what they load of ours, each in a file of its own."""
