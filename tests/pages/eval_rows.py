"""Eval rows with a known share solved, for tests of pages."""


def results(models, tasks=40, runs=1, benchmark="bench", **fields):
    """Eval rows: for each model the share of tasks it solves, spread so that models differ on some tasks."""
    rows = []
    for number, (model, share) in enumerate(models.items()):
        for task in range(tasks):
            for run in range(runs):
                solved = ((task * 7 + number * 3) % tasks) / tasks < share
                rows.append(
                    {
                        "benchmark": benchmark,
                        "task_id": f"task-{task:03d}",
                        "model": model,
                        "run": str(run),
                        "score": float(solved),
                        **fields,
                    }
                )
    return rows
