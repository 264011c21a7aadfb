"""A small order service that tells its customers' phones about their orders."""
