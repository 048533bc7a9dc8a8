def trigger(world):
    """Makes a schedule that is triggered by a token, and triggers it."""
    world.arrange("POST", "/factories/pipeline", {"values": {"name": "daily sales"}})
    schedule = {"pipeline_uuid": "daily_sales", "schedule_type": "api", "token": "let-me-in"}
    world.arrange("POST", "/factories/pipeline_schedule", {"values": schedule})
    return world.api.post("/pipeline_schedules/1/pipeline_runs/let-me-in").json()["pipeline_run"]


def statuses(world):
    return [run["status"] for run in world.api.get("/pipeline_runs").json()["pipeline_runs"]]


def test_a_run_is_completed_after_five_seconds_of_the_clock(world):
    trigger(world)
    assert statuses(world) == ["running"]

    world.arrange("POST", "/clock/advance", {"duration": "5s"})
    assert statuses(world) == ["completed"]


def test_nothing_of_it_is_left_in_the_next_test(world):
    assert world.api.get("/pipelines").json()["pipelines"] == []


def test_an_error_comes_with_http_200(world):
    reply = world.api.get("/pipelines/nowhere")

    assert reply.status_code == 200
    assert reply.json()["error"]["code"] == 404


def test_a_second_attempt_succeeds_where_the_first_is_made_to_fail(world):
    world.arrange("POST", "/faults", {"operation": "listPipelines", "times": 1, "error": {"code": 500}})

    assert world.api.get("/pipelines").json()["error"]["code"] == 500
    assert world.api.get("/pipelines").json()["pipelines"] == []


def test_the_journal_tells_what_the_app_has_sent(world):
    run = trigger(world)
    entries = world.arrange("GET", "/journal?operation=triggerPipeline")["entries"]

    assert run["status"] == "running"
    assert [entry["status"] for entry in entries] == [200]
