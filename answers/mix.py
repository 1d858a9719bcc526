"""Who is ahead on your own mix of domains: scores and differences re-weighted, with their errors."""

from dataclasses import asdict, dataclass, replace
from typing import Any

from analysis import wording
from analysis.leaderboard.mix import Mix, MixPair, MixScore, mix
from analysis.leaderboard.winner_map import DomainTurn, WinnerMap, domain_turns, winner_map
from analysis.results import ordered
from answers import mix_figures as drawn
from answers.base import Answer, Fact, Headline, Question
from answers.evals import choose_contenders, read_evals
from answers.parameters import Parameters, parameter
from data import provenance
from data.errors import InputError
from data.store import Store


@dataclass(frozen=True, kw_only=True)
class MixParameters(Parameters):
    """What can be asked about a mix of domains."""

    benchmark: str = parameter(help="the benchmark, as named in the files")
    weight: tuple[str, ...] = parameter(help="DOMAIN=W, once for each domain; any unit, normalised")
    model: tuple[str, ...] = parameter(default=(), help="only these models or contenders")
    margin: float = parameter(
        default=0.02, low=0.0, high=1.0, unit="share", help="the smallest difference that matters to you"
    )
    confidence: float = parameter(
        default=0.95, low=0.5, high=1.0, open_bounds=True, unit="share", help="confidence of every interval"
    )
    metric: str | None = parameter(default=None, help="which metric, where the files have several")


def ask(store: Store, parameters: MixParameters) -> Answer:
    """Score the contenders of a benchmark under a mix.

    Raises:
        InputError: the benchmark, a model or every domain of the mix is not loaded, or a weight is no number.
    """
    weights = parse_weights(parameters.weight)
    evals = read_evals(store, parameters.benchmark, metric=parameters.metric)
    known = sorted({domain for domain in evals.cells.domains if domain is not None})
    if not known:
        raise InputError(f"{parameters.benchmark!r} names no domains; map one with --map domain=COLUMN")
    if not set(weights) & set(known):
        listed = ", ".join(known[:8])
        raise InputError(f"--weight names no domain of {parameters.benchmark!r}; it has: {listed}")
    contenders = choose_contenders(evals, parameters.model) or evals.contenders
    cells = evals.cells.restrict_contenders(contenders) if parameters.model else evals.cells
    result = mix(cells, weights, margin=parameters.margin, confidence=parameters.confidence)
    lead = _leading(result) if result.pairs else None
    turns = domain_turns(cells, lead.a, lead.b, weights) if lead else ()
    ahead = winner_map(cells, weights) if lead else None
    return Answer(
        question=QUESTION.name,
        asked=f"Which model is ahead on our own mix of {parameters.benchmark}?",
        parameters=parameters,
        headline=_headline(result),
        findings=ordered((*result.findings, *drawn.findings(lead, turns, ahead))),
        payload=_payload(result, turns, ahead),
        tables=drawn.tables(result, lead, turns, ahead),
        figures=drawn.figures(result),
        sources=provenance.sources(store, parameters.benchmark, contenders),
        fingerprint=provenance.fingerprint(store, parameters.benchmark),
        method=(
            "A score is the weighted mean of the domains' means; its error follows from the weights and the "
            f"spread over tasks and clusters. Weights: {_weights(result)}. The effective number of tasks is "
            "Kish's (sum of weights)² / sum of squares. Who is ahead how often: Dirichlet draws around "
            "the mix times normal draws of the domains' scores, seeded."
        ),
        revision=store.revision,
        result=result,
    )


def parse_weights(texts: tuple[str, ...]) -> dict[str, float]:
    """Weights by domain from ``DOMAIN=W`` texts.

    Raises:
        InputError: a text has another form, names a domain twice, or no weight is above 0.
    """
    weights: dict[str, float] = {}
    for text in texts:
        domain, equals, number = text.rpartition("=")
        try:
            weight = float(number)
        except ValueError:
            weight = float("nan")
        if not equals or not domain or not 0 <= weight < float("inf"):
            raise InputError(f"--weight {text!r} needs the form DOMAIN=W with a weight of at least 0")
        if domain in weights:
            raise InputError(f"--weight names the domain {domain!r} twice")
        weights[domain] = weight
    if sum(weights.values()) <= 0:
        raise InputError("--weight needs at least one weight above 0")
    return weights


def _payload(result: Mix, turns: tuple[DomainTurn, ...], ahead: WinnerMap | None) -> dict[str, Any]:
    found = asdict(replace(result, findings=()))
    found.pop("findings")
    found["domains"] = [asdict(turn) for turn in turns]
    found["winner_map"] = drawn.map_payload(ahead)
    return found


def _weights(result: Mix, most: int = 8) -> str:
    parts = [f"{name} {wording.share(share)}" for name, share in result.weights.items()]
    return wording.sentence_list(parts, most=most)


def _headline(result: Mix) -> Headline:
    facts = [Fact("Mix", _weights(result, most=4))]
    if result.uncovered > 0:
        missing = wording.sentence_list(list(result.uncovered_domains), most=3)
        return Headline(
            "unknown",
            "Part of the mix is untested",
            f"{wording.share(result.uncovered)} of your mix has no task here: {missing}.",
            "Scores are bounds until those domains have tasks.",
            tuple(facts),
        )
    if not result.pairs:
        first = result.models[0]
        return Headline(
            "unknown",
            "Nothing to compare",
            f"{first.model} solves {wording.share(first.mean, _half(first))} of your mix.",
            "",
            tuple(facts),
        )
    pair = _leading(result)
    gap = wording.points(pair.difference, signed=True)
    decided = pair.verdict in ("better", "worse")
    ahead, behind = (pair.a, pair.b) if (pair.difference or 0.0) >= 0 else (pair.b, pair.a)
    if pair.low is not None and pair.high is not None:
        interval = wording.interval(pair.low, pair.high, "points", signed=True)
        facts.insert(0, Fact("Interval", f"{interval} points"))
    if decided:
        points = wording.points(abs(pair.difference or 0.0))
        sentence = f"On your mix {ahead} solves {points} more than {behind}."
        return Headline("good", "Better", sentence, "", tuple(facts))
    return Headline(
        "undecided",
        "Undecided",
        f"On your mix {pair.a} against {pair.b} is undecided at {gap}.",
        f"{pair.reason[:1].upper()}{pair.reason[1:].rstrip('.')}." if pair.reason else "",
        tuple(facts),
    )


def _leading(result: Mix) -> MixPair:
    """The pair of the two in front."""
    front = {score.model for score in result.models[:2]}
    return next((pair for pair in result.pairs if {pair.a, pair.b} == front), result.pairs[0])


def _half(score: MixScore) -> float | None:
    return None if score.low is None or score.high is None else (score.high - score.low) / 2


QUESTION = Question(
    name="mix",
    title="Score models on your own mix of domains.",
    parameters=MixParameters,
    compute=ask,
    fingerprint=lambda store, parameters: provenance.fingerprint(store, parameters.benchmark),
)
