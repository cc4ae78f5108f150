WARC/1.0
WARC-Type: metadata
WARC-Target-URI: https://a.example/
WARC-Date: 2026-01-01T00:00:00Z
Content-Type: application/json
Content-Length: 190

{"Envelope":{"Payload-Metadata":{"HTTP-Response-Metadata":{"Response-Message":{"Status":"200"},"HTML-Metadata":{"Head":{"Title":"Tea"},"Links":[{"path":"A@/href","url":"/b","text":"b"}]}}}}}

