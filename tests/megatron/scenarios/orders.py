"""Orders of tasks, chosen by every kind of arbiter, with chunks and sequences of any length."""

from training import arbiters, options, ours, train, uneven

from scenarios import CHUNKS, PIPELINE


def orders(results):
    results["stock"] = train(PIPELINE)
    results["fixed"] = train(PIPELINE, ours(arbiter="fixed"))
    report = results.folder / "plain"
    results["deterministic"] = train(
        PIPELINE, ours(deterministic=True, report=str(report)), step=uneven()
    )
    results["default arbiter"] = arbiters(report)
    results["free"] = train(PIPELINE, ours(arbiter="b-priority"), step=uneven())
    report = results.folder / "split"
    results["split"] = train(
        PIPELINE,
        ours(split_weight=True, deterministic=True, report=str(report)),
        step=uneven(),
    )
    results["default arbiter of a split"] = arbiters(report)
    results["one rank"] = train(options(pipeline=1))


def python_arbiter(results):
    asked = []

    def last_candidate(candidates):
        asked.append(len(candidates))
        return candidates[-1]

    results["python arbiter"] = train(PIPELINE, ours(arbiter=last_candidate))
    results["python arbiter asked"] = len(asked)


def chunks(results):
    results["chunks stock"] = train(CHUNKS)
    results["chunks deterministic"] = train(
        CHUNKS, ours(deterministic=True, admission="window", limit=8), step=uneven()
    )
    report = results.folder / "chunks"
    results["chunks free"] = train(CHUNKS, ours(report=str(report), limit=()), step=uneven())
    results["default arbiter with chunks"] = arbiters(report)


def lengths(results):
    """R03 and R14: sequences of 3, 7, 3, 7 tokens."""

    def microbatch(text, number):
        return text.microbatch(number, (3, 7)[number % 2])

    def run(chosen, schedule=None):
        return train(
            chosen,
            schedule,
            microbatch=microbatch,
            variable_seq_lengths=True,
            moe_token_dispatcher_type="alltoall",
        )

    short = {"batch": 4, "sequence": 7}
    results["lengths one rank"] = run(options(pipeline=1, **short))
    results["lengths"] = run(options(pipeline=2, **short), ours())
    results["lengths chunks"] = run(options(pipeline=2, chunks=2, **short), ours())


def half_precision(results):
    chosen = options(pipeline=2, bf16=True)
    results["bf16 stock"] = train(chosen)
    results["bf16"] = train(chosen, ours(deterministic=True), step=uneven())
    results["bf16 split"] = train(
        chosen, ours(split_weight=True, deterministic=True), step=uneven()
    )
