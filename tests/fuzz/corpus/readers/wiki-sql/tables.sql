CREATE TABLE `pagelinks` (
  `pl_from` int,
  `pl_target_id` int
);
INSERT INTO `pagelinks` VALUES (1,11),(2,'x\'');
