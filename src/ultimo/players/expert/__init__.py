"""The strong player: hidden hands sampled, their play-outs raced against each other, endings solved."""
