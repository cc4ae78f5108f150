filedesc://a.arc 0.0.0.0 20260101000000 text/plain 62
1 0 x
URL IP-address Archive-date Content-type Archive-length

http://a.example/ 1.2.3.4 20260101000000 text/html 62
HTTP/1.1 200 OK
Content-Type: text/html

<a href='/b'>b</a>
