"""What a site's owner should mend: links that are missing or broken, pages nobody finds."""
