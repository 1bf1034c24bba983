"""The school: a course of lessons, trainers without an end, puzzles, and a first deal with a guide.

Everything is data that the engine checks. A lesson is a file with its texts in four languages side by side;
whatever it claims about cards, payments and positions is worked out again by the tests.
"""
