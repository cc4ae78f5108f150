"""From a request to an answer: Request → Question → Candidates → Answer."""
