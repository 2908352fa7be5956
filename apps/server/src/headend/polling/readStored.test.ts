import { control, pollResults, tasks, taskStates } from "@metrum/contract/headend";
import { startPark, type Park, type Plan } from "@metrum/simulator";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Events } from "#core";
import { prepareJobs, type Dialogue } from "#headend/dialogue";
import { endItem, queuedItems } from "#headend/tasks";
import { until } from "#testing/until";
import { openTestApi, type TestApi } from "#testing/api";
import { movableClock } from "#testing/clock";
import { openDialogue } from "#testing/dialogue";
import { registerPark } from "#testing/park";
import { pollDevice } from "./poll.ts";

const [half, day] = [1800, 86_400];
const offsetSec = 8 * 3600;
const [mercury, spodes] = [120, 702];

/** A meter with a profile and one with journals, in Ulaanbaatar. */
const device = {
  gateway: "g",
  place: "",
  intervalSec: 3600,
  seed: 7,
  load: "school",
  meanPerHour: 12,
  start: 5000,
  impulseWeight: 1,
  startingValue: 0,
  hasLeaks: false,
  clockDriftPerDay: 0,
} as const;
const plan: Plan = {
  baseStations: [],
  gateways: [{ key: "g", modelId: 601, name: "GW-1", place: "", deviceID: "350000000000031" }],
  devices: [
    { ...device, modelId: mercury, insideAddr: "23", deviceID: "40000023", name: "School 4" },
    { ...device, modelId: spodes, insideAddr: "17", deviceID: "40000017", name: "School 5" },
  ],
};

const clock = movableClock();
let api: TestApi;
let dialogue: Dialogue;
let park: Park;
let [id, journalled] = [0, 0];
let engineer: string;
let operator: string;
let announced: Events["tasksChanged"][number][] = [];

beforeAll(async () => {
  // Ten minutes into a half-hour: the meter closes no interval during a test.
  clock.ahead = half + 600 - (Math.floor(Date.now() / 1000) % half);
  api = await openTestApi({
    env: { METRUM_MODEM_PORTS: "0:imei", METRUM_MQTT_PORT: "0", METRUM_DEVICE_HOST: "127.0.0.1" },
    clock,
  });
  await prepareJobs(api.services);
  dialogue = await openDialogue(api.services);
  [id = 0, journalled = 0] = await registerPark(api.services.database, api.companies.first, plan);
  engineer = await api.token("engineer@metrum.example");
  operator = await api.token("operator@metrum.example");
  park = await startPark(plan, {
    host: "127.0.0.1",
    ports: { modem: dialogue.ports.modemPorts[0] ?? 0 },
    faults: { delayMs: [0, 1] },
    utcOffsetSec: offsetSec,
    now: () => clock.nowMs() / 1000,
  });
  const { rows } = await sql<{
    id: number;
  }>`select id from gateway where device_id = '350000000000031'`.execute(db());
  const line = `modem:${String(rows[0]?.id)}`;
  await vi.waitFor(() => expect(dialogue.ports.lines.held(line)?.isOpen).toBe(true), 10_000);
  api.services.bus.on("tasksChanged", (changes) => announced.push(...changes));
});
afterAll(async () => {
  await dialogue.stop();
  await park.stop();
  await api.close();
});
beforeEach(async () => {
  announced = [];
  await sql`delete from device_task_item`.execute(db());
  await sql`delete from device_task`.execute(db());
  // Other seconds of receipt; a longer step would end the call of the modem.
  clock.ahead += 5;
});

const db = () => api.services.database.system;

/** A date of the meter's clock, this many days before today. */
const date = (daysAgo: number, time = "00:00:00") =>
  `${new Date((clock.now() + offsetSec - daysAgo * day) * 1000).toISOString().slice(0, 10)} ${time}`;
const startOf = (daysAgo: number) => Date.parse(`${date(daysAgo).replace(" ", "T")}Z`) / 1000 - offsetSec;

const create = (management: object, device_ids: readonly number[] = [id], token = engineer) =>
  api.ask(tasks.create, {
    token,
    language: "en",
    input: {
      body: {
        command_type: "control",
        title: "Архив",
        title_en: "Archive",
        device_ids: [...device_ids],
        management: { ...management },
      },
    },
  });
async function created(management: object, device_ids?: readonly number[], token = engineer) {
  const { data, text, status } = await create(management, device_ids, token);
  expect(status, text).toBe(200);
  return data.device_task;
}
const work = (taskId: number, deviceId = id) =>
  pollDevice(api.services, dialogue.ports.lines, { deviceId, taskId });
const resultOf = async (taskId: number) =>
  (await api.ask(tasks.results, { token: engineer, input: { body: { device_task_id: taskId } } })).data
    .results.data;
const stored = async (msgType: number): Promise<number[]> =>
  (
    await sql<{ ts: number }>`select ts from message where device_id = ${id} and msg_type = ${msgType}
      and source = 1 order by ts`.execute(db())
  ).rows.map(({ ts }) => ts);

describe("a request of stored data", () => {
  test("REQ-016 REQ-018: the power profile of one day is read from the meter, its day that of the device", async () => {
    const task = await created({ archive_profile: date(2) });
    expect(task).toMatchObject({ command_type: "control", management: { archive_profile: date(2) } });

    await work(task.id);

    const [first] = [startOf(2)];
    expect(await stored(5)).toEqual(Array.from({ length: 48 }, (_, at) => first + at * half));
    expect(await resultOf(task.id)).toMatchObject([
      { status_id: taskStates.done.id, result_code: pollResults.ok.id, rows_received: 48 },
    ]);
  });

  test("REQ-011: an archive is read for its day, or until the last date of a period", async () => {
    const one = await created({ type: 1, archive: 101, archiveTime: date(0) });
    await work(one.id);
    expect(await stored(101)).toEqual([startOf(0)]);

    const months = await created({
      type: 2,
      archive: 103,
      archiveTime: date(200),
      archiveTimeEnd: date(40),
    });
    await work(months.id);

    const [result] = await resultOf(months.id);
    expect(result?.rows_received).toBeGreaterThanOrEqual(5);
    expect(await stored(103)).toHaveLength(result?.rows_received ?? 0);
  });

  test("a period longer than a page goes on where the last session ended, and gives way to scheduled polls", async () => {
    const task = await created({ type: 1, archive: 101, archiveTime: date(100), archiveTimeEnd: date(1) }, [
      journalled,
    ]);
    const rows = async () => (await resultOf(task.id))[0]?.rows_received ?? 0;
    await sql`update device_task_item set holes_to = jsonb_build_object('101', ${startOf(3)}::bigint)
      where task_id = ${task.id}`.execute(db());
    expect(await queuedItems(db(), clock.now(), 10)).toMatchObject([{ taskId: task.id, asksHoles: true }]);

    await work(task.id, journalled);

    expect(await rows()).toBe(3);
    clock.ahead += 6;
    const whole = await created({ type: 1, archive: 101, archiveTime: date(100), archiveTimeEnd: date(1) }, [
      journalled,
    ]);
    await work(whole.id, journalled);
    expect((await resultOf(whole.id))[0]?.rows_received).toBe(100);
    const progress = announced.filter(
      ({ taskId, deviceId, statusId }) =>
        taskId === whole.id && deviceId === journalled && statusId === taskStates.running.id,
    );
    expect(progress.length).toBeGreaterThanOrEqual(3);
  });

  test("a period of which the meter has nothing is answered, and says so", async () => {
    const task = await created({ event_log: true, event_index: 2 }, [journalled]);
    await work(task.id, journalled);

    expect(await resultOf(task.id)).toMatchObject([{ status_id: taskStates.done.id, rows_received: 0 }]);
  });

  test("REQ-015: an event journal is requested by its number; the meter is asked for that journal only", async () => {
    const steps = async () =>
      (
        await sql<{ n: number }>`select length(steps) as n from poll_log where device_id = ${journalled}
          order by started_ms desc limit 1`.execute(db())
      ).rows[0]?.n ?? 0;
    const one = await created({ event_log: true, event_index: 0 }, [journalled]);
    await work(one.id, journalled);

    expect(await resultOf(one.id)).toMatchObject([{ result_code: pollResults.ok.id }]);
    expect(await steps()).toBeGreaterThan(0);
    const none = await create({ event_log: true, event_index: 9 }, [journalled]);
    expect([none.status, none.code]).toEqual([422, "request_refused"]);
  });

  test("a failed request keeps its rows, and can be made again", async () => {
    const task = await created({ archive_profile: date(1) });
    const end = { taskId: task.id, deviceId: id, startedMs: clock.nowMs(), now: clock.now() };
    await endItem(db(), { ...end, result: "timeout", message: "no answer" });
    clock.ahead += 6;

    const again = await created({ archive_profile: date(1) });

    expect(await resultOf(task.id)).toMatchObject([
      { status_id: taskStates.failed.id, result_code: pollResults.timeout.id, rows_received: 0 },
    ]);
    expect(again.id).not.toBe(task.id);
  });

  test("a cancelled request reads no further page, and its rows are kept", async () => {
    const task = await created({ type: 2, archive: 103, archiveTime: date(300), archiveTimeEnd: date(0) });
    await sql`update device_task_item set status_id = ${taskStates.running.id},
      holes_to = '{"103": 1}' where task_id = ${task.id}`.execute(db());
    const { data } = await api.ask(tasks.cancel, {
      token: engineer,
      input: { body: { device_task_ids: [task.id] } },
    });

    expect(data.cancelled).toBe(1);
    await work(task.id);
    expect(await resultOf(task.id)).toMatchObject([
      { status_id: taskStates.cancelled.id, rows_received: 0, result_code: null },
    ]);
  });

  test("an expired request is not sent to the meter", async () => {
    const task = await created({ archive_profile: date(2) });
    await sql`update device_task_item set status_id = ${taskStates.expired.id} where task_id = ${task.id}`.execute(
      db(),
    );

    await work(task.id);

    expect(await resultOf(task.id)).toMatchObject([{ status_id: taskStates.expired.id, rows_received: 0 }]);
  });
});

describe("one request in flight a device and kind", () => {
  test("REQ-019: the same request of two users at once is one task; another kind is another", async () => {
    const [one, two, other] = [
      await created({ archive_profile: date(2) }),
      await created({ archive_profile: date(2, "00:00") }, [id], operator),
      await created({ type: 1, archive: 101, archiveTime: date(1) }, [id], operator),
    ];

    expect(two.id).toBe(one.id);
    expect(other.id).not.toBe(one.id);
  });

  test("ten identical clicks at once are one task", async () => {
    const management = { type: 1, archive: 101, archiveTime: date(1) };

    const all = await Promise.all(Array.from({ length: 10 }, () => created(management)));

    expect(new Set(all.map((task) => task.id)).size).toBe(1);
  });

  test("another period of the same archive is refused while one is being requested", async () => {
    const task = await created({ archive_profile: date(2) });

    const refused = await create({ archive_profile: date(1) }, [id], operator);

    expect([refused.status, refused.code]).toEqual([409, "request_in_flight"]);
    await work(task.id);
    expect((await create({ archive_profile: date(1) }, [id], operator)).status).toBe(200);
  });
});

describe("refused before it starts", () => {
  const refusalOf = async (management: object, ids = [id], token = engineer) => {
    const { status, code, attributes, msg } = await create(management, ids, token);
    return { status, code, fields: Object.keys(attributes), msg };
  };

  test("what the driver cannot read, with the reason and the field", async () => {
    expect(await refusalOf({ type: 102, archive: 102, archiveTime: date(1) })).toMatchObject({
      status: 422,
      code: "request_refused",
      fields: ["management.type"],
      msg: "The request was not sent: the device keeps no such archive",
    });
    expect(await refusalOf({ type: 1, archive: 101, archiveTime: date(30) })).toMatchObject({
      code: "request_refused",
      fields: ["management.archiveTime"],
    });
    expect(await refusalOf({ archive_profile: date(-1) })).toMatchObject({
      code: "request_refused",
      fields: ["management.archive_profile"],
    });
    expect(await refusalOf({ type: 1, archiveTime: "soon" })).toMatchObject({
      status: 422,
      code: "wrong_input",
      fields: ["management.archiveTime"],
    });
    const { rows } = await sql`select from device_task`.execute(db());
    expect(rows).toHaveLength(0);
  });

  test("of several devices those that cannot answer fail at once, the others are requested", async () => {
    const task = await created({ event_log: true, event_index: 1 }, [id, journalled]);

    const results = await resultOf(task.id);

    const byDevice = new Map(results.map((each) => [each.device_id, each]));
    expect(byDevice.get(id)).toMatchObject({
      status_id: taskStates.failed.id,
      result_code: pollResults.unsupported.id,
    });
    expect(byDevice.get(journalled)).toMatchObject({ status_id: taskStates.queued.id });
  });

  test("which devices can answer is said before, with the reasons of the others", async () => {
    const plan = async (management: Record<string, unknown>, device_ids: readonly number[]) =>
      (
        await api.ask(tasks.planRequest, {
          token: engineer,
          language: "en",
          input: { body: { device_ids: [...device_ids], management } },
        })
      ).data.plan;

    expect(await plan({ event_log: true, event_index: 1 }, [id, journalled])).toEqual({
      device_ids: [journalled],
      refused: [{ reason: "the device keeps no such journal", device_count: 1, device_ids: [id] }],
    });
    expect(await plan({ archive_profile: date(2) }, [id, journalled])).toEqual({
      device_ids: [id, journalled].toSorted((a, b) => a - b),
      refused: [],
    });
  });

  test("a device in the archive or the trash, one of another user or company", async () => {
    await sql`update device set is_archived = true where id = ${id}`.execute(db());
    expect(await refusalOf({ archive_profile: date(2) })).toMatchObject({ code: "device_put_away" });
    await sql`update device set is_archived = false where id = ${id}`.execute(db());

    await sql`insert into device_user (device_id, user_id, company_id)
      select ${journalled}, id, company_id from users where email = 'operator@metrum.example'`.execute(db());
    const tied = await api.token("operator@metrum.example");
    expect(await refusalOf({ archive_profile: date(2) }, [id], tied)).toMatchObject({ status: 404 });
    await sql`delete from device_user`.execute(db());
  });
});

test("REQ-023: the answer says how many rows the meter has delivered, or that it has none", async () => {
  const ask = (management: Record<string, unknown>, deviceId: number) =>
    api.ask(control.device, {
      token: engineer,
      language: "en",
      input: { body: { id: deviceId, management, title: "Архив", title_en: "Archive" } },
    });
  const answering = async (management: Record<string, unknown>, deviceId: number) => {
    const answer = ask(management, deviceId);
    const taskId = await until(async () => {
      const { rows } = await sql<{ id: number }>`select id from device_task`.execute(db());
      return rows[0]?.id;
    });
    await work(taskId, deviceId);
    return (await answer).data;
  };

  const rows = await answering({ archive_profile: date(2) }, id);
  expect(rows.control_set).toEqual({ result: "The device has answered, rows received: 48" });
  expect(rows.msg).toBe(rows.control_set.result);
  await sql`delete from device_task`.execute(db());
  const none = await answering({ event_log: true, event_index: 3 }, journalled);
  expect(none.msg).toBe("The device has answered: it has no data of this period");
});
