import { schedules, type ScheduleRules } from "@metrum/contract/core";
import { deviceLog, deviceRecord, devices, deviceTrash } from "@metrum/contract/metering";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { makeFixture, type Fixture } from "#testing/records";
import { aSpareDevice } from "#testing/walk/spares";

let api: TestApi;
let fixture: Fixture;
let token: string;
let device_id: number;
beforeAll(async () => {
  api = await openTestApi();
  fixture = await makeFixture(api);
  token = await api.token("engineer@metrum.example");
  device_id = fixture.ours.device;
});
afterAll(() => api.close());

const dayAndNight = { tariff0: ["23:00"], tariff1: ["07:00"] };
const allDay = { tariff0: ["00:00"] };
const task = {
  ...{ task_id: 3, delay: 60, param1: 1, param2: 2, param3: 3, param4: 4, param5: 5, param6: 6 },
  ...{ param7: 7, param8: 255, profile: 1, refresh: 0 },
};
const rules: ScheduleRules = {
  tariff: dayAndNight,
  special_days: { day_list: ["12-31", "01-01", "12-31"], shedule: allDay },
  tasks: [task],
};

const read = async (id = device_id) =>
  (await api.ask(schedules.get, { token, input: { body: { device_id: id } } })).data.schedule;
const save = (given: unknown, id = device_id) =>
  api.ask(schedules.save, {
    token,
    input: { body: { device_id: id, schedule: { rules: given as ScheduleRules } } },
  });
const saveTariffs = (schedule_electro: unknown, id = device_id) =>
  api.ask(schedules.saveElectro, {
    token,
    input: { body: { device_id: id, schedule_electro: schedule_electro as typeof dayAndNight } },
  });

it("DEV-017 DEV-049 SPECDAY-006 the schedule of a device is saved and read, a repeated day once", async () => {
  expect(await read()).toEqual({ id: device_id, device_id, rules: {}, saved_at: null });

  const saved = await save(rules);

  expect(saved.msg).toBe("Сохранено");
  const schedule = await read();
  expect(schedule.saved_at).toBeGreaterThan(0);
  expect(schedule.rules).toEqual({
    ...rules,
    special_days: { day_list: ["01-01", "12-31"], shedule: allDay },
  });
});

it("TARIFF-012 TARIFF-013 TARIFF-006 save_schedule_electro stores the tariffs alone, and the device has them", async () => {
  const schedule_electro = { tariff0: ["10:00", "21:00"], tariff1: ["07:00"], tariff2: ["17:00", "23:00"] };

  const saved = await saveTariffs(schedule_electro);

  expect(saved.status).toBe(200);
  expect((await read()).rules).toMatchObject({
    tariff: schedule_electro,
    special_days: { shedule: allDay },
    tasks: [task],
  });
  const opened = await api.ask(devices.get, { token, input: { params: { id: String(device_id) } } });
  expect(opened.data.metering_device.properties).toMatchObject({ schedule_electro });
  const edited = await api.ask(deviceRecord.edit, {
    token,
    input: { body: { id: device_id, properties: opened.data.metering_device.properties } },
  });
  expect(edited.data.metering_device.properties).toMatchObject({ schedule_electro });
});

it.each([
  ["TARIFF-003 a time of another form", { tariff0: ["7:00"] }, "schedule_electro.tariff0.0"],
  [
    "TARIFF-004 three times of a tariff",
    { tariff0: ["01:00", "02:00", "03:00"] },
    "schedule_electro.tariff0",
  ],
  ["TARIFF-004 no time of a tariff", { tariff0: ["01:00"], tariff1: [] }, "schedule_electro.tariff1"],
  ["TARIFF-005 no tariff", {}, "schedule_electro.tariff0"],
  ["TARIFF-001 a fifth tariff", { ...allDay, tariff4: ["01:00"] }, "schedule_electro.tariff4"],
  ["TARIFF-015 equal times", { tariff0: ["07:00"], tariff1: ["07:00"] }, "schedule_electro.tariff1.0"],
  ["TARIFF-015 times out of order", { tariff0: ["21:00", "10:00"] }, "schedule_electro.tariff0.1"],
])("%s: refused at its field", async (_, given, field) => {
  const refused = await saveTariffs(given);

  expect([refused.status, Object.keys(refused.attributes)]).toEqual([422, [field]]);
});

it.each([
  [
    "SPECDAY-007 a day that no year has",
    { special_days: { day_list: ["02-30"], shedule: allDay } },
    "special_days.day_list.0",
  ],
  ["SPECDAY-009 days without a schedule", { special_days: { day_list: ["01-01"] } }, "special_days.shedule"],
  ["SCHED-006 a task without its delay", { tasks: [{ ...task, delay: undefined }] }, "tasks.0.delay"],
  ["SCHED-008 a parameter below 0", { tasks: [{ ...task, param1: -1 }] }, "tasks.0.param1"],
  ["a task twice", { tasks: [task, task] }, "tasks"],
  ["a rule of another name", { days: [] }, "days"],
])("%s: refused at its field", async (_, given, field) => {
  const refused = await save(given);

  expect([refused.status, Object.keys(refused.attributes)]).toEqual([422, [`schedule.rules.${field}`]]);
});

it("DEV-050 the schedule of a device is deleted, by the id of its own schedule; the log has every change", async () => {
  const remove = async (schedule_id?: number) =>
    (
      await api.ask(schedules.delete, {
        token,
        input: { body: { device_id, ...(schedule_id === undefined ? {} : { schedule_id }) } },
      })
    ).status;

  expect([await remove(fixture.ours.trashedDevice), await remove(device_id), await remove()]).toEqual([
    404, 200, 404,
  ]);

  expect((await read()).rules).toEqual({});
  const { data } = await api.ask(deviceLog.read, { token, language: "en", input: { body: { device_id } } });
  const changes = data.log.filter(({ action_title }) => action_title === "Changing the schedule of a device");
  expect(changes.map(({ before, after }) => [before !== null, after !== null])).toEqual([
    [true, false],
    [true, true],
    [false, true],
  ]);
});

it("X-62 the schedule of a device in the trash or the archive is read, not changed", async () => {
  const spare = await aSpareDevice(fixture, false);
  await save(rules, spare);
  const archived = await aSpareDevice(fixture, false);
  const { system } = api.services.database;
  await sql`update device set is_archived = true where id = ${archived}`.execute(system);
  await api.ask(deviceTrash.add, { token, input: { params: { id: String(spare) } } });

  const refused = [
    await save({}, spare),
    await saveTariffs(allDay, spare),
    await saveTariffs(allDay, archived),
    await api.ask(schedules.delete, { token, input: { body: { device_id: spare } } }),
  ];

  expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(["device_put_away"]));
  expect((await read(spare)).rules.tariff).toEqual(dayAndNight);
});

it("ACL-017 saving and deleting a schedule needs update on 4", async () => {
  const viewer = await api.token("viewer@metrum.example");
  const ask = [
    await api.ask(schedules.save, {
      token: viewer,
      input: { body: { device_id, schedule: { rules: {} } } },
    }),
    await api.ask(schedules.saveElectro, {
      token: viewer,
      input: { body: { device_id, schedule_electro: allDay } },
    }),
    await api.ask(schedules.delete, { token: viewer, input: { body: { device_id } } }),
  ];

  expect(new Set(ask.map(({ code }) => code))).toEqual(new Set(["right_missing"]));
});

it("SPECDAY-006 the special days are saved alone: of two users who save different parts neither loses", async () => {
  const id = await aSpareDevice(fixture, false);
  await save({ tariff: allDay, tasks: [task] }, id);
  const special_days = { day_list: ["12-31"], shedule: allDay };

  const saved = await Promise.all([
    saveTariffs(dayAndNight, id),
    api.ask(schedules.saveSpecialDays, { token, input: { body: { device_id: id, special_days } } }),
  ]);

  expect(saved.map(({ status }) => status)).toEqual([200, 200]);
  expect((await read(id)).rules).toEqual({ tariff: dayAndNight, special_days, tasks: [task] });
});
