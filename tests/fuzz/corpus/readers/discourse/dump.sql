--
-- PostgreSQL database dump
--

-- Dumped from database version 15.4

CREATE TABLE public.badge_groupings (
    id bigint NOT NULL
);

COPY public.badge_groupings (id) FROM stdin;
1
\.

COPY public.topic_links (id, topic_id, post_id, user_id, url, domain, internal, link_topic_id, created_at, updated_at, reflection, clicks, link_post_id, title, crawled_at, quote, extension) FROM stdin;
1	11	101	1	https://forum.example/t/black-tea/12	forum.example	t	12	2026-11-01 10:00:00	2026-11-01 10:00:00	f	3	102	\N	\N	f	\N
2	12	102	1	https://forum.example/t/green-tea/11	forum.example	t	11	2026-11-01 10:00:00	2026-11-01 10:00:00	t	0	101	\N	\N	f	\N
3	11	101	1	https://tea.example/a	tea.example	f	\N	2026-11-01 10:00:00	2026-11-01 10:00:00	f	0	\N	Tea	\N	f	\N
4	12	102	2	/uploads/default/original/1X/cup.png	forum.example	t	\N	2026-11-01 10:00:00	2026-11-01 10:00:00	f	0	\N	\N	\N	f	png
5	12	103	2	https://forum.example/t/green-tea/11/2	forum.example	t	11	2026-11-02 10:00:00	2026-11-02 10:00:00	f	0	101	\N	\N	t	\N
6	11	101	2	https://forum.example/t/green-tea/12	forum.example	t
7	13	104	2	https://tea.example/b	tea.example	f	\N	2026-11-02 10:00:00	2026-11-02 10:00:00	f	0	\N	\N	\N	f	\N
\.

COPY public.topics (id, title, last_posted_at, created_at, archetype, deleted_at, slug) FROM stdin;
11	Green tea	\N	2026-11-01 10:00:00	regular	\N	green-tea
12	Black tea\\milk	\N	2026-11-01 10:00:00	regular	\N	black-tea
13	A message	\N	2026-11-02 10:00:00	private_message	\N	a-message
\.
