"""Small trees that break one rule each are reported, and trees that follow it are not."""
