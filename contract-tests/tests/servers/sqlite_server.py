"""A server of the pipeline orchestration API, written from the specification alone: Python, SQLite, nothing else.

It prints its port, and serves until its standard input ends. Where the specification is silent it chooses in its own way:
see the comments that begin with "Choice:".
"""

import argparse
import datetime
import json
import re
import secrets
import sqlite3
import sys
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = "sqlite-key"
USERS = {("ada@example.com", "lovelace"): 7, ("alan@example.com", "turing"): 8}
# Choice: short timestamps, which carry no zone, are in local time.
LOCAL = datetime.timezone(datetime.timedelta(hours=5, minutes=30))
# Choice: pages are short where the client asks for no size, and never long.
PAGE, LONGEST_PAGE = 20, 50
PIPELINE_TYPES = "integration pyspark python streaming".split()
BLOCK_TYPES = (
    "callback chart conditional custom data_exporter data_loader dbt extension global_data_product markdown "
    "scratchpad sensor transformer"
).split()
LANGUAGES = "python sql r yaml markdown".split()
INTERVALS = "second minute hour day week month year custom".split()
STATUSES = "initial running completed failed cancelled".split()

SCHEMA = """
create table pipelines (uuid text primary key, name text, type text);
create table blocks (uuid text primary key, name text, type text, language text, color text, content text,
  config text, configuration text);
create table members (pipeline text, block text, position integer, upstream text);
create table backfills (id integer primary key autoincrement, pipeline_uuid text, name text, start_datetime text,
  end_datetime text, interval_type text, interval_units integer, status text, variables text, created_at real,
  updated_at real);
create table schedules (id integer primary key autoincrement, pipeline_uuid text, name text, token text, tags text,
  schedule_type text, schedule_interval text, status text, created_at real, updated_at real);
create table runs (id integer primary key autoincrement, schedule integer, pipeline_uuid text, variables text,
  created_at real);
create table files (run integer, block text, name text, content text);
create table sessions (token text primary key, user_id integer, expires real);
"""


class Refused(Exception):
    def __init__(self, code, kind, message):
        super().__init__(message)
        self.error = {"code": code, "type": kind, "message": message}


def now():
    return datetime.datetime.now(datetime.timezone.utc).timestamp()


def short(time_):
    return time_ and datetime.datetime.fromtimestamp(time_, LOCAL).strftime("%Y-%m-%d %H:%M:%S")


def long(time_):
    return time_ and datetime.datetime.fromtimestamp(time_, datetime.timezone.utc).strftime(
        "%Y-%m-%d %H:%M:%S.%f+00:00"
    )


def slug(name):
    # Choice: several separators in a row become one underscore.
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


def text_of(record, key):
    value = record.get(key)
    if not isinstance(value, str) or not value.strip():
        raise Refused(400, "invalid", f"{key} is required.")
    # Choice: names are short and ASCII.
    if len(value) > 120 or not value.isascii() or not value.isprintable():
        raise Refused(400, "invalid", f"{key} must be at most 120 printable ASCII characters.")
    return value


def one_of(value, allowed, key):
    if value not in allowed:
        raise Refused(400, "invalid", f"{key} must be one of {', '.join(allowed)}.")
    return value


class Service:
    def __init__(self, auth):
        self.auth = auth
        self.lock = threading.Lock()
        self.db = sqlite3.connect(":memory:", check_same_thread=False)
        self.db.row_factory = sqlite3.Row
        self.db.executescript(SCHEMA)

    def all(self, sql, *values):
        return self.db.execute(sql, values).fetchall()

    def one(self, sql, *values):
        return self.db.execute(sql, values).fetchone()

    def by_id(self, table, ident):
        # A longer number is no integer of SQLite.
        is_id = ident.isdigit() and len(ident) < 18
        return self.one(f"select * from {table} where id = ?", int(ident)) if is_id else None

    # Credentials

    def sign_in(self, body):
        session = body.get("session", body)
        user = isinstance(session, dict) and USERS.get((str(session.get("email")), session.get("password")))
        if not user:
            raise Refused(404, "record_not_found", "The login name or password is invalid.")
        # Choice: a user has one session at a time.
        self.db.execute(
            "update sessions set expires = ? where user_id = ? and expires > ?", (now() - 1, user, now())
        )
        token = secrets.token_hex(20)
        self.db.execute("insert into sessions values (?, ?, ?)", (token, user, now() + 3600))
        # Choice: the raw token is the hexadecimal form of a JSON object; the payload is not nested.
        return {"token": json.dumps({"token": token, "user": user}).encode().hex()}

    def current(self, headers):
        token = headers.get("OAUTH-TOKEN")
        cookie = re.search(r"(?:^|;\s*)oauth_token=([^;]*)", headers.get("Cookie") or "")
        if token is None and cookie:
            try:
                token = json.loads(bytes.fromhex(cookie[1])).get("token")
            except (ValueError, AttributeError):
                token = None
        # Choice: tokens are hexadecimal numbers, whose digits may be capitals.
        row = isinstance(token, str) and self.one(
            "select * from sessions where token = ? and expires > ?", token.lower(), now()
        )
        return row or None

    def authorize(self, query, headers, body):
        if self.auth == "open":
            return
        given = query.get("api_key", [headers.get("X-API-KEY")])[0]
        if isinstance(body, dict) and isinstance(body.get("api_key"), str):
            given = body["api_key"]
        if given != KEY:
            raise Refused(401, "invalid_api_key", "The API key is invalid.")
        if self.auth == "login" and self.current(headers) is None:
            raise Refused(401, "unauthorized", "Sign in first.")

    # Pages

    def page(self, plural, rows, query):
        def number(name, default):
            value = query.get(name, [default])[0]
            if not str(value).isdigit():
                raise Refused(400, "invalid", f"{name} must be a number.")
            return int(value)

        limit, offset = min(number("_limit", PAGE), LONGEST_PAGE), number("_offset", 0)
        # Choice: there is no page past the end.
        if offset > len(rows):
            raise Refused(400, "invalid", "_offset is past the end.")
        shown = rows[offset : offset + limit]
        return {plural: shown, "metadata": {"count": len(rows), "next": offset + len(shown) < len(rows)}}

    # Pipelines

    def pipeline(self, uuid):
        row = self.one("select * from pipelines where uuid = ?", uuid)
        if row is None:
            raise Refused(404, "record_not_found", f"There is no pipeline {uuid}.")
        return row

    def show_pipeline(self, row, with_triggers):
        blocks = self.all("select block from members where pipeline = ? order by position", row["uuid"])
        shown = {
            "uuid": row["uuid"],
            "name": row["name"],
            "type": row["type"],
            "description": None,
            "data_integration": None,
            "executor_config": {},
            "executor_count": 1,
            "executor_type": None,
            "notification_config": {},
            "spark_config": {},
            # Choice: it is never set.
            "updated_at": None,
            # Choice: uuids instead of objects.
            "blocks": [block["block"] for block in blocks],
            "callbacks": [],
            "conditionals": [],
            "widgets": [],
            "extensions": {},
        }
        if with_triggers:
            shown["triggers"] = self.schedules_of(row["uuid"])
        return shown

    def create_pipeline(self, body):
        record = record_in(body, "pipeline")
        name, kind = text_of(record, "name"), one_of(record.get("type"), PIPELINE_TYPES, "type")
        uuid = slug(name)
        if not uuid or self.one("select 1 from pipelines where uuid = ?", uuid):
            raise Refused(409, "conflict", "There is a pipeline of that name.")
        self.db.execute("insert into pipelines values (?, ?, ?)", (uuid, name, kind))
        return {"pipeline": self.show_pipeline(self.pipeline(uuid), False)}

    def list_pipelines(self, query):
        rows = self.all("select * from pipelines order by rowid desc")
        # Choice: no metadata where none is shown.
        return {"pipelines": [self.show_pipeline(row, query.get("include_schedules") == ["1"]) for row in rows]}

    # Blocks

    def show_block(self, pipeline, row, with_content=False):
        members = self.all("select * from members where pipeline = ?", pipeline)
        upstream = next(json.loads(one["upstream"]) for one in members if one["block"] == row["uuid"])
        shown = {
            "uuid": row["uuid"],
            "name": row["name"],
            "type": row["type"],
            "language": row["language"],
            "color": row["color"],
            "configuration": json.loads(row["configuration"]),
            "upstream_blocks": upstream,
            "downstream_blocks": [one["block"] for one in members if row["uuid"] in json.loads(one["upstream"])],
            "all_upstream_blocks_executed": not upstream,
            "executor_config": {},
            "executor_type": "subprocess",
            "has_callback": False,
            "retry_config": {"retries": 0},
            "status": "new",
        }
        return {**shown, "content": row["content"], "outputs": []} if with_content else shown

    def block(self, pipeline, uuid):
        self.pipeline(pipeline)
        row = self.one(
            "select blocks.* from blocks join members on block = uuid where pipeline = ? and uuid = ?", pipeline, uuid
        )
        if row is None:
            raise Refused(404, "record_not_found", f"There is no block {uuid} in {pipeline}.")
        return row

    def create_block(self, pipeline, body):
        self.pipeline(pipeline)
        record = record_in(body, "block")
        name, kind = text_of(record, "name"), one_of(record.get("type"), BLOCK_TYPES, "type")
        language = one_of(record.get("language") or "python", LANGUAGES, "language")
        upstream = record.get("upstream_blocks") or []
        config, configuration = record.get("config") or {}, record.get("configuration") or {}
        if not isinstance(config, dict) or not isinstance(configuration, dict) or not isinstance(upstream, list):
            raise Refused(400, "invalid", "config and configuration must be objects, upstream_blocks a list.")
        for one in upstream:
            self.block(pipeline, one)
        homes = list(dict.fromkeys([pipeline, *(record.get("pipelines") or [])]))
        for home in homes:
            self.pipeline(home)
        # Choice: uuids of blocks are unique among all pipelines.
        base = uuid = slug(name) or "block"
        number = 2
        while self.one("select 1 from blocks where uuid = ?", uuid):
            uuid, number = f"{base}_{number}", number + 1
        content = record.get("content") or ""
        self.db.execute(
            "insert into blocks values (?, ?, ?, ?, ?, ?, ?, ?)",
            (uuid, name, kind, language, record.get("color"), content, json.dumps(config), json.dumps(configuration)),
        )
        for home in homes:
            count = self.one("select count(*) as n from members where pipeline = ?", home)["n"]
            priority = record.get("priority")
            place = min(priority, count) if isinstance(priority, int) and priority >= 0 else count
            self.db.execute("update members set position = position + 1 where pipeline = ? and position >= ?", (home, place))
            above = json.dumps(upstream if home == pipeline else [])
            self.db.execute("insert into members values (?, ?, ?, ?)", (home, uuid, place, above))
        return {
            "block": {
                "name": name, "type": kind, "language": language, "content": content, "config": config,
                "configuration": configuration, "priority": record.get("priority"), "upstream_blocks": upstream,
            }
        }

    def delete_block(self, pipeline, uuid, query):
        row = self.block(pipeline, uuid)
        shown = self.show_block(pipeline, row)
        force = query.get("force", [""])[0].lower() in ("true", "1")
        if shown["downstream_blocks"] and not force:
            raise Refused(409, "has_dependents", f"{uuid} has downstream blocks.")
        # Choice: what depends on a block goes with it.
        for below in shown["downstream_blocks"]:
            if self.one("select 1 from members where pipeline = ? and block = ?", pipeline, below):
                self.delete_block(pipeline, below, query)
        self.db.execute("delete from members where pipeline = ? and block = ?", (pipeline, uuid))
        if not self.one("select 1 from members where block = ?", uuid):
            self.db.execute("delete from blocks where uuid = ?", (uuid,))
        return {"block": shown}

    # Backfills

    def backfill(self, ident):
        row = self.by_id("backfills", ident)
        if not row:
            raise Refused(404, "record_not_found", f"There is no backfill {ident}.")
        return row

    def show_backfill(self, row, form, with_count=False):
        shown = {key: row[key] for key in row.keys()}
        for key in ("created_at", "updated_at"):
            shown[key] = form(row[key])
        for key in ("start_datetime", "end_datetime"):
            if form is long and row[key]:
                shown[key] = f"{row[key]}.000000+00:00"
        shown["variables"] = row["variables"] and json.loads(row["variables"])
        for key in ("pipeline_schedule_id", "block_uuid", "metrics", "started_at", "completed_at", "failed_at"):
            shown[key] = None
        return {**shown, "total_run_count": 0} if with_count else shown

    def create_backfill(self, pipeline, body):
        self.pipeline(pipeline)
        name = text_of(record_in(body, "backfill"), "name")
        cursor = self.db.execute(
            "insert into backfills (pipeline_uuid, name, created_at, updated_at) values (?, ?, ?, ?)",
            (pipeline, name, now(), now()),
        )
        return {"backfill": self.show_backfill(self.backfill(str(cursor.lastrowid)), short)}

    def list_backfills(self, query):
        rows = self.all("select * from backfills order by id desc")
        home = query.get("pipeline_uuid", [None])[0]
        counted = query.get("include_run_count", [""])[0].lower() in ("true", "1")
        found = [self.show_backfill(row, long, counted) for row in rows if home in (None, row["pipeline_uuid"])]
        return self.page("backfills", found, query)

    def update_backfill(self, pipeline, ident, body):
        row, record = self.backfill(ident), record_in(body, "backfill")
        if row["pipeline_uuid"] != pipeline:
            raise Refused(404, "record_not_found", f"There is no backfill {ident} in {pipeline}.")
        values = {}
        for key, value in record.items():
            if key == "name":
                values[key] = text_of(record, key)
            elif key in ("interval_type", "status"):
                values[key] = value and one_of(value, INTERVALS if key == "interval_type" else STATUSES, key)
            elif key in ("start_datetime", "end_datetime"):
                if value is not None:
                    try:
                        datetime.datetime.strptime(str(value), "%Y-%m-%d %H:%M:%S")
                    except ValueError:
                        raise Refused(400, "invalid", f"{key} must be YYYY-MM-DD HH:MM:SS.") from None
                values[key] = value
            elif key == "interval_units":
                if value is not None and (type(value) is not int or abs(value) > 2**53):
                    raise Refused(400, "invalid", "interval_units must be an integer.")
                values[key] = value
            elif key == "variables":
                if value is not None and not isinstance(value, dict):
                    raise Refused(400, "invalid", "variables must be an object.")
                values[key] = value if value is None else json.dumps(value)
        start = values.get("start_datetime", row["start_datetime"])
        end = values.get("end_datetime", row["end_datetime"])
        # Choice: a backfill ends after it starts.
        if start and end and end < start:
            raise Refused(400, "invalid", "end_datetime is before start_datetime.")
        values["updated_at"] = now()
        changes = ", ".join(f"{key} = ?" for key in values)
        self.db.execute(f"update backfills set {changes} where id = ?", (*values.values(), row["id"]))
        return {"backfill": self.show_backfill(self.backfill(ident), short)}

    def delete_backfill(self, ident):
        row = self.backfill(ident)
        self.db.execute("delete from backfills where id = ?", (row["id"],))
        return {"backfill": self.show_backfill(row, short)}

    # Schedules, runs, logs

    def schedules_of(self, pipeline):
        return [
            {
                **{key: row[key] for key in row.keys()},
                "start_time": long(row["created_at"]),
                "tags": json.loads(row["tags"]),
                "variables": None,
                "sla": None,
                "settings": {},
                "event_matchers": [],
                "last_pipeline_run_status": None,
                "pipeline_runs_count": self.one("select count(*) as n from runs where schedule = ?", row["id"])["n"],
                "created_at": long(row["created_at"]),
                "updated_at": long(row["updated_at"]),
            }
            for row in self.all("select * from schedules where pipeline_uuid = ? order by id", pipeline)
        ]

    def list_schedules(self, pipeline, query):
        self.pipeline(pipeline)
        wanted = set(query.get("tag[]", []))
        found = [one for one in self.schedules_of(pipeline) if not wanted or wanted & set(one["tags"])]
        return {"pipeline_schedules": found, "metadata": {"count": len(found), "next": False}}

    def create_schedule(self, pipeline, body):
        self.pipeline(pipeline)
        record = record_in(body, "pipeline_schedule")
        # Choice: tags are given once, with the schedule.
        tags = [str(tag) for tag in record.get("tags") or []]
        values = (pipeline, text_of(record, "name"), secrets.token_urlsafe(12), json.dumps(tags))
        cursor = self.db.execute(
            "insert into schedules (pipeline_uuid, name, token, tags, schedule_type, schedule_interval, status, created_at,"
            " updated_at) values (?, ?, ?, ?, 'api', '@once', 'active', ?, ?)",
            (*values, now(), now()),
        )
        return {
            "pipeline_schedule": next(one for one in self.schedules_of(pipeline) if one["id"] == cursor.lastrowid)
        }

    def trigger(self, ident, token, body):
        row = self.by_id("schedules", ident)
        if not row or row["token"] != token:
            raise Refused(404, "record_not_found", "No schedule has that id and token.")
        if not isinstance(body, dict):
            raise Refused(400, "invalid", "The body must be an object.")
        time_ = now()
        cursor = self.db.execute(
            "insert into runs (schedule, pipeline_uuid, variables, created_at) values (?, ?, ?, ?)",
            (row["id"], row["pipeline_uuid"], json.dumps(body), time_),
        )
        run = cursor.lastrowid
        blocks = self.all("select block from members where pipeline = ?", row["pipeline_uuid"])
        for block in [None, *(one["block"] for one in blocks)]:
            self.db.execute("insert into files values (?, ?, ?, ?)", (run, block, f"{block or 'run'}.log", "started\n"))
        return {
            "pipeline_run": {
                "id": run,
                "pipeline_schedule_id": row["id"],
                "pipeline_uuid": row["pipeline_uuid"],
                "execution_date": long(time_),
                "status": "running",
                "completed_at": None,
                "variables": {},
                "event_variables": body,
                "passed_sla": False,
                "metrics": {},
                "backfill_id": None,
                "created_at": long(time_),
                "updated_at": long(time_),
            }
        }

    def logs(self, pipeline, query):
        self.pipeline(pipeline)
        # Choice: one item of the list for each run, and milliseconds.
        start = query.get("start_timestamp", ["0"])[0]
        runs = [
            run
            for run in self.all("select * from runs where pipeline_uuid = ? order by id", pipeline)
            if start.isdigit() and run["created_at"] * 1000 >= int(start)
        ]
        entries = []
        for run in runs:
            files = self.all("select * from files where run = ?", run["id"])
            shown = [
                {"name": one["name"], "path": f"/logs/{run['id']}/{one['name']}", "content": one["content"]} for one in files
            ]
            blocks = [file for file, one in zip(shown, files) if one["block"]]
            own = [file for file, one in zip(shown, files) if not one["block"]]
            entries.append(
                {
                    "block_run_logs": blocks,
                    "pipeline_run_logs": own,
                    "total_block_run_log_count": len(blocks),
                    "total_pipeline_run_log_count": len(own),
                }
            )
        return {"logs": self.page("logs", entries, query)["logs"], "metadata": {}}

    def tokens(self, query, headers):
        user = self.current(headers)
        if user is None:
            raise Refused(401, "unauthorized", "Sign in first.")
        every = query.get("show_all") == ["1"]
        rows = self.all("select * from sessions where user_id = ? order by expires", user["user_id"])
        found = [
            {"token": row["token"], "user_id": row["user_id"], "expires": long(row["expires"])}
            for row in rows
            if every or row["expires"] > now()
        ]
        return self.page("oauth_access_tokens", found, query)

    def answer(self, method, path, query, headers, body):
        parts = [urllib.parse.unquote(part) for part in path.strip("/").split("/")]
        match [method, *parts]:
            case ["POST", "api", "pipeline_schedules", ident, "pipeline_runs", token]:
                return self.trigger(ident, token, body)
            case ["POST", "api", "sessions"]:
                return self.sign_in(body if isinstance(body, dict) else {})
        self.authorize(query, headers, body)
        match [method, *parts]:
            case ["POST", "api", "pipelines"]:
                return self.create_pipeline(body)
            case ["GET", "api", "pipelines"]:
                return self.list_pipelines(query)
            case ["GET", "api", "pipelines", uuid]:
                return {"pipeline": self.show_pipeline(self.pipeline(uuid), query.get("include_schedules") == ["1"])}
            case ["POST", "api", "pipelines", uuid, "blocks"]:
                return self.create_block(uuid, body)
            case ["GET", "api", "pipelines", uuid, "blocks", block]:
                return {"block": self.show_block(uuid, self.block(uuid, block), True)}
            case ["DELETE", "api", "pipelines", uuid, "blocks", block]:
                return self.delete_block(uuid, block, query)
            case ["GET", "api", "backfills"]:
                return self.list_backfills(query)
            case ["POST", "api", "pipelines", uuid, "backfills"]:
                return self.create_backfill(uuid, body)
            case ["PUT", "api", "pipelines", uuid, "backfills", ident]:
                return self.update_backfill(uuid, ident, body)
            case ["DELETE", "api", "backfills", ident]:
                return self.delete_backfill(ident)
            case ["GET", "api", "pipelines", uuid, "pipeline_schedules"]:
                return self.list_schedules(uuid, query)
            case ["POST", "api", "pipelines", uuid, "pipeline_schedules"]:
                return self.create_schedule(uuid, body)
            case ["GET", "api", "pipelines", uuid, "logs"]:
                return self.logs(uuid, query)
            case ["GET", "api", "oauth_access_tokens"]:
                return self.tokens(query, headers)
        raise Refused(404, "no_such_endpoint", f"There is no {method} {path}.")


def record_in(body, key):
    record = body.get(key) if isinstance(body, dict) else None
    if not isinstance(record, dict):
        raise Refused(400, "invalid", f"The body must have an object under {key}.")
    return record


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Head and body go out together.
    wbufsize = 1 << 16
    service = None

    def handle_request(self):
        address = urllib.parse.urlsplit(self.path)
        sent = self.body()
        try:
            body = json.loads(sent) if sent else None
            query = urllib.parse.parse_qs(address.query, keep_blank_values=True)
            with self.service.lock:
                try:
                    reply = self.service.answer(self.command.replace("HEAD", "GET"), address.path, query, self.headers, body)
                    self.service.db.commit()
                except Exception:
                    self.service.db.rollback()
                    raise
        except Refused as refused:
            reply = {"error": refused.error, "status": 200}
        except (ValueError, RecursionError):
            reply = {"error": {"code": 400, "type": "invalid", "message": "The body is no JSON."}, "status": 200}
        except (TypeError, sqlite3.Error):
            reply = {"error": {"code": 400, "type": "invalid", "message": "A value has another type."}, "status": 200}
        data = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def body(self):
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        data = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            data += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return data

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = handle_request

    def log_message(self, *arguments):
        pass


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--auth", choices=["open", "key", "login"], default="login")
    Handler.service = Service(parser.parse_args().auth)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    print(server.server_address[1], flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()


main()
