"""The words of the product as frozen dataclasses, enums and errors; standard library only."""
