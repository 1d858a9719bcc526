"""The canonical fields of pairwise votes, in the order of the contract."""

from typing import Final

from data.importing.kinds.base import Field

EITHER: Final = "winner or preference"

FIELDS: Final = (
    Field(
        "benchmark",
        "Benchmark",
        "Name of the arena or evaluation; may be left out",
        "arena-2026",
        synonyms=("arena", "bench", "suite", "dataset"),
    ),
    Field(
        "model_a",
        "Model A",
        "One of the two models",
        "aster-5-2026-10",
        "yes",
        ("model_1", "generator_1", "left", "left_model", "player_a", "system_a", "model_left"),
    ),
    Field(
        "model_b",
        "Model B",
        "The other one",
        "borealis-4",
        "yes",
        ("model_2", "generator_2", "right", "right_model", "player_b", "system_b", "model_right"),
    ),
    Field(
        "winner",
        "Outcome",
        "a, b or tie; left, right or both; or the name of one of the two models. Empty: dropped and counted",
        "a",
        EITHER,
        ("vote", "outcome", "result", "preferred", "choice", "verdict", "label"),
    ),
    Field(
        "preference",
        "Preference",
        "0: model A is preferred, 1: model B is, 0.5: a tie; other ranges with --set scale=1..2",
        "0",
        EITHER,
        ("pref",),
        "number",
    ),
    Field(
        "prompt_id",
        "Prompt",
        "Votes that share it are not independent",
        "q17",
        synonyms=("question_id", "prompt", "instruction_id", "row", "session_id", "evaluation_session_id"),
    ),
    Field(
        "judge",
        "Judge",
        "Who voted: a person or a model",
        "annotator-3",
        synonyms=("annotator", "voter", "rater", "evaluator", "user_id", "judge_model"),
    ),
    Field(
        "position",
        "Position",
        "Whose answer was shown first: a, b, or a name; or the place of model A: first, second, 1, 2",
        "a",
        synonyms=("shown_first", "order", "presentation_order"),
    ),
)
