CREATE TABLE `linktarget` (
  `lt_id` int,
  `lt_namespace` int,
  `lt_title` int
);
INSERT INTO `linktarget` VALUES (11,0,'Tea'),(12,0,'It\'s_green');
