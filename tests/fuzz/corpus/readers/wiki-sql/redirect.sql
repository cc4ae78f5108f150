CREATE TABLE `redirect` (
  `rd_from` int,
  `rd_namespace` int,
  `rd_title` int
);
INSERT INTO `redirect` VALUES (3,0,'Tea');
