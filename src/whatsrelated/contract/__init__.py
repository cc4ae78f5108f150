"""What a method is given, what it returns, and how results look as JSON and in notebooks."""
