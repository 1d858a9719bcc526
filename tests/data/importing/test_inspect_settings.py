"""Which differences between logs make a variant, and which do not."""

from inspect_builder import log, read, sample

from data.importing.formats.inspect_settings import differences


def settings(folder, **spec):
    return read(folder, log([sample(1)], spec=spec))[0][0]["settings"]


def test_what_cannot_change_an_answer_makes_no_variant(tmp_path):
    base = settings(tmp_path)
    assert settings(tmp_path, tags=["weekly"], task_id="v" * 22, created="2026-05-01T00:00:00Z") == base
    assert settings(tmp_path, config={"epochs": 4, "max_samples": 9}, metadata={"who": "me"}) == base
    assert settings(tmp_path, model_generate_config={"max_connections": 50, "temperature": None}) == base


def test_what_can_change_an_answer_does(tmp_path):
    base = settings(tmp_path)
    warm = settings(tmp_path, model_generate_config={"temperature": 0.5})
    assert differences(base, warm) == (("generate.temperature", "", "0.5"),)
    assert differences(base, settings(tmp_path, task_version=2)) == (("task_version", "0", "2"),)
    longer = settings(tmp_path, config={"message_limit": 40}, task_args={"shots": 5, "api_key": "sk-1"})
    assert "sk-1" not in longer
    assert [path for path, _, _ in differences(base, longer)] == [
        "limits.message_limit",
        "task_args.api_key",
        "task_args.shots",
    ]
    assert settings(tmp_path, task_args={"prompt": "a" * 5000}) != settings(
        tmp_path, task_args={"prompt": "a" * 5001}
    )


def test_random_tool_ids_make_no_variant(tmp_path):
    def plan(instance):
        steps = [
            {
                "solver": "use_tools",
                "params": {"tools": [{"name": "browser", "params": {"instance": instance}}]},
            }
        ]
        return read(tmp_path, log([sample(1)], plan={"steps": steps}))[0][0]["settings"]

    assert plan("4g6KtU22C8DUjmbCoiJCfR") == plan("5h7LuV33D9EVknczDpjKDg")
    assert plan("django") != plan("sympy")
