"""Games to watch: deals between masters, with what the review says of them."""
