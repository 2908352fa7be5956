import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { Id, listInput, paged, Seconds } from "../core/values.ts";

/**
 * Why a reading is in quarantine: its time stamp is implausible. Stored as a small number: never renumber.
 * clock_ahead: later than its receipt; too_old: before the archive of the model begins; no_time: not storable
 * as a time.
 */
export const quarantineReasons = { clock_ahead: 1, too_old: 2, before_2000: 3, no_time: 4 } as const;
export type QuarantineReason = keyof typeof quarantineReasons;

/** State of a reading in quarantine. Stored as a small number: never renumber. */
export const quarantineStates = { waiting: 0, released: 1, discarded: 2 } as const;
export type QuarantineState = keyof typeof quarantineStates;

/**
 * Maximum readings per decision, and waiting ones of a device and of a company. Further ones are only
 * counted.
 */
export const quarantineBounds = { decided: 5_000, ofDevice: 10_000, ofCompany: 200_000 } as const;

const names = <Table extends Readonly<Record<string, number>>>(table: Table) =>
  // The keys of a table are its names.
  z.enum(Object.keys(table) as [keyof Table & string, ...(keyof Table & string)[]]);

/** Identifies a reading: device, receipt, message type, time stamp, and its index among equal ones. */
const ReadingId = z.string().check(z.regex(/^\d{1,10}\.\d{1,15}\.\d{1,5}\.-?\d{1,16}\.\d{1,5}$/));

const QuarantinedReading = z.object({
  id: ReadingId,
  device_id: Id,
  device_name: z.string(),
  deviceID: z.string(),
  device_group_id: z
    .int()
    .check(z.describe("resource of the device, which determines the units of the values")),
  msgType: z.int(),
  reason: names(quarantineReasons),
  state: names(quarantineStates),
  datetime: z.nullable(z.number()).check(z.describe("time stamp of the meter; null: not a valid time")),
  received_at: Seconds,
  source: z.enum(["polled", "pushed", "imported", "manual", "calculated"]),
  values: z.record(z.string(), z.nullable(z.number())).check(z.describe("by field, as stored")),
  decided_at: z.nullable(Seconds),
  decided_by: z.nullable(z.string()).check(z.describe("name of the user who released or discarded it")),
});
export type QuarantinedReading = z.infer<typeof QuarantinedReading>;

const filter = {
  device_id: z.optional(Id),
  reason: z.optional(names(quarantineReasons)),
  startDate: z.optional(Seconds).check(z.describe("time of receipt")),
  stopDate: z.optional(Seconds),
};

const Decision = z.object({
  ...filter,
  ids: z
    .optional(z.array(ReadingId).check(z.minLength(1), z.maxLength(quarantineBounds.decided)))
    .check(
      z.describe("ids of readings; without: all that match the filter, 5,000 per call, oldest receipt first"),
    ),
});

const own = { method: "POST", isOwn: true } as const;

/** Readings with an implausible time stamp, until a user releases or discards them. */
export const quarantine = {
  list: call({
    ...own,
    id: "quarantine.list",
    rows: "readings.data",
    path: "device/quarantine/list",
    right: "4:read",
    reach: "branch",
    summary: "Readings in quarantine, newest receipt first, of one device or all",
    body: z.object({
      ...filter,
      state: z.optional(names(quarantineStates)).check(z.describe("default: waiting")),
      page: listInput.page,
      per_page: listInput.per_page,
    }),
    reply: z.object({ readings: paged(QuarantinedReading) }),
    problems: ["not_found"],
  }),
  summary: call({
    ...own,
    id: "quarantine.summary",
    path: "device/quarantine/summary",
    right: "4:read",
    reach: "branch",
    summary: "Number of readings waiting in quarantine, by reason, of one device or all",
    body: z.object({ device_id: z.optional(Id) }),
    reply: z.object({
      waiting: z.int(),
      not_kept: z.int().check(z.describe("readings received while the quarantine was full: only counted")),
      devices: z.int().check(z.describe("devices with waiting readings")),
      reasons: z.array(z.object({ reason: names(quarantineReasons), count: z.int() })),
    }),
    problems: ["not_found"],
  }),
  release: call({
    ...own,
    id: "quarantine.release",
    path: "device/quarantine/release",
    right: "4:update",
    reach: "branch",
    summary:
      "Releases readings from the quarantine: they are stored and checked like any others, with their source and time of receipt",
    body: Decision,
    reply: z.object({
      released: z.int(),
      stored: z.int().check(z.describe("new or changed readings; the others were stored already")),
      left: z.int().check(z.describe("readings that match the filter and are still waiting")),
    }),
    problems: ["not_found", "demo_refused"],
  }),
  discard: call({
    ...own,
    id: "quarantine.discard",
    path: "device/quarantine/discard",
    right: "4:update",
    reach: "branch",
    summary: "Discards readings in quarantine; the name of the user is kept with them until they expire",
    body: Decision,
    reply: z.object({ discarded: z.int(), left: z.int() }),
    problems: ["not_found", "demo_refused"],
  }),
};
