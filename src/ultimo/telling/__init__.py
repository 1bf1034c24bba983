"""What happens and what may be done, in words: the events, the offers and the rules of a table."""
