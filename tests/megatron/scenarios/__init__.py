"""What two ranks try, one function a scenario; each notes in its Results what it found out."""

from training import options

PIPELINE = options(pipeline=2)
CHUNKS = options(pipeline=2, chunks=2)
