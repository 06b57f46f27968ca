"""Runs a script with Megatron's own schedule in processes that rrfp started: `stock_schedule.py SCRIPT …`."""

import runpy
import sys

import rrfp.megatron

rrfp.megatron.disable()
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
