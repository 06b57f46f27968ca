"""What the measuring programs share: running things, ratios, process statistics, results."""
