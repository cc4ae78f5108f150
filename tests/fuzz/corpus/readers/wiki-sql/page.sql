CREATE TABLE `page` (
  `page_id` int,
  `page_namespace` int,
  `page_title` int,
  `page_is_redirect` int
);
INSERT INTO `page` VALUES (1,0,'Tea',0),(2,0,'It\'s_green',0),(3,0,'Tee',1);
