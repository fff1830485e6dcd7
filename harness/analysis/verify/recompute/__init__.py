"""A second reckoning of a run's numbers, from the raw series, that shares no code with the product's own."""
