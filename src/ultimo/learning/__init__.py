"""How a student is made: decisions with what every card would have brought, a network, duels."""
