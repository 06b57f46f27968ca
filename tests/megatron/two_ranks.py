"""What two ranks find out; test_two_ranks.py judges it."""

import training

from scenarios import contract, evaluation, memory, orders, randomness, ways_in

if __name__ == "__main__":
    training.run(
        [
            # Ordered so that the layout seldom changes.
            orders.orders,
            orders.lengths,
            orders.chunks,
            contract.synchronisation,
            orders.python_arbiter,
            randomness.dropout,
            randomness.resumed,
            randomness.rerun,
            contract.contract,
            orders.half_precision,
            memory.memory,
            memory.automatic,
            contract.timers,
            evaluation.evaluation,
            ways_in.ways_in,
            ways_in.refusals,
        ]
    )
