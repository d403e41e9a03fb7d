"""What a first partition is made of: orders, prefixes, closed sets, grown regions."""
