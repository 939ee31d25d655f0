"""These games inside other people's tools."""
