"""What Spark does for the package: in plain Python (`here`), and by a real cluster (`cluster`)."""
