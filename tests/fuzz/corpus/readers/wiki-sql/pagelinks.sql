CREATE TABLE `pagelinks` (
  `pl_from` int,
  `pl_from_namespace` int,
  `pl_target_id` int
);
INSERT INTO `pagelinks` VALUES (1,0,12),(2,0,11),(3,0,11);
