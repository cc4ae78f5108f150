graph [
  directed 1
  node [ id 1 label "a" ]
  node [ id 2 lab