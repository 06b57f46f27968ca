"""Other pipeline runtimes, run side by side with ours on the same durations."""
