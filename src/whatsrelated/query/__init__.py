"""From a request to an answer: Request → Question → Found → Answer."""
