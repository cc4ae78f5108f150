"""A blind study: people rate the pooled answers of methods (DH99, sec. 4.1; HZ03, sec. 4)."""
