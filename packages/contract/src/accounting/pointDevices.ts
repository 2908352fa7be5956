import { PointStandard } from "../metering/pointStandard.ts";
import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { Id, Nothing, Seconds, ShortText, NodeId } from "../core/values.ts";
import { Moment, Note, pointBounds, RegisterReadings, settableTermKinds } from "./pointFields.ts";

const reads = "6:read|6:access_all";
const updates = "6:update|6:access_all";
const tiesDevices = "6:update&(4:read|4:access_all)";

const pointId = { accounting_point_id: Id };
const Register = z.string().check(z.minLength(1), z.maxLength(50));
const Reason = ShortText.check(z.minLength(3));
const Reading = z.optional(z.nullable(z.number().check(z.gte(-1e15), z.lte(1e15))));

const confirmation = {
  confirm: z
    .optional(z.boolean())
    .check(z.describe("readings count whatever the device has told before and after")),
  confirm_reason: z
    .optional(z.string().check(z.maxLength(pointBounds.reason), z.trim()))
    .check(z.describe("needed with confirm")),
};

const tie = {
  ...pointId,
  device_id: Id,
  from: Moment,
  field: z.optional(Register).check(z.describe("main register; absent: that of the resource")),
  starting_value: Reading.check(z.describe("reading of the main register at `from`")),
  opening: z.optional(RegisterReadings).check(z.describe("readings of registers at `from`, by field")),
  act: Note,
  note: Note,
};

/** What a replacement says about the time without a meter. */
export const meterlessMethods = ["not_counted", "load_before", "entered"] as const;

const meterless_amount = z
  .optional(z.number().check(z.gte(0), z.lte(1e12)))
  .check(z.describe("entered, in the unit of the point with the ratio"));

const replacement = {
  ...pointId,
  device_id: Id.check(z.describe("the new device")),
  last_value: Reading.check(z.describe("main register of the old device when it was removed")),
  starting_value: Reading.check(z.describe("main register of the new device when it was installed")),
  removed_at: Moment,
  installed_at: z.optional(Seconds).check(z.describe("absent: the moment of the removal")),
  closing: z.optional(RegisterReadings),
  opening: z.optional(RegisterReadings),
  field: z.optional(Register),
  act: Note,
  note: Note,
  meterless: z
    .optional(z.enum(meterlessMethods))
    .check(z.describe("time without a meter: not counted, by the load before, or as entered")),
  meterless_amount,
};

const tieProblems = [
  "not_found",
  "demo_refused",
  "point_resource",
  "point_register_unknown",
  "point_register_taken",
  "point_device_taken",
  "point_device_trashed",
  "point_moment",
  "point_limit",
  "period_closed",
] as const;

const Check = z.object({
  field: z.string(),
  unit: z.string(),
  given: z.nullable(z.number()),
  last_value: z.nullable(z.number()),
  last_at: z.nullable(Seconds),
  difference: z.nullable(z.number()).check(z.describe("given minus the last poll")),
  expected: z
    .nullable(z.number())
    .check(
      z.describe(
        "growth of the main register by the load before the swap: since the last poll, or to the next one",
      ),
    ),
  next_value: z
    .nullable(z.number())
    .check(z.describe("of the first reading after it; of a closing one only if that is exceeded")),
  next_at: z.nullable(Seconds),
  verdict: z
    .enum(["ok", "below", "above", "beyond", "unknown"])
    .check(z.describe("below: the last poll; above: what the load gives; beyond: the next poll")),
});

const TariffSum = z.nullable(
  z.object({
    total: z.string().check(z.describe("register that the others must add up to")),
    parts: z.array(z.string()),
    sum: z.number(),
    difference: z.number().check(z.describe("total minus sum")),
    adds_up: z.boolean(),
  }),
);

const Sum = z.object({
  from: z.nullable(Seconds),
  to: z.nullable(Seconds),
  amount: z.nullable(z.number()).check(z.describe("with the ratio; null: not known")),
  days: z.int().check(z.describe("days of which something is known")),
});

const ReplacementCheck = z.object({
  unit: z.string(),
  ratio: z.number(),
  /** Registers of each device that a closing or opening reading can be given for. */
  closing: z.array(Check),
  opening: z.array(Check),
  closing_sum: TariffSum.check(z.describe("null: a tariff or the total is not given")),
  opening_sum: TariffSum,
  reading_before: z.nullable(z.number()).check(z.describe("main register of the old device at removal")),
  total_before: z.nullable(z.number()).check(z.describe("of the point at the removal, with the ratio")),
  total_after: z.nullable(z.number()).check(z.describe("the same once the new device measures")),
  sums: z.array(
    z.object({ title: z.enum(["old", "new", "meterless", "total"]), amount: z.nullable(z.number()) }),
  ),
  days_before: Sum,
  days_after: Sum,
  difference_percent: z.nullable(z.number()),
  removed_at: Seconds,
  installed_at: Seconds,
  meterless_sec: z.int(),
  load_before: z.nullable(z.number()).check(z.describe("mean load of the last day, in units an hour")),
  meterless_amount: z.nullable(z.number()).check(z.describe("by that load")),
  daily: z.array(z.object({ day: z.string(), amount: z.nullable(z.number()), is_new: z.boolean() })),
});

const correction = {
  ...pointId,
  tie_number: z
    .int()
    .check(z.gte(1), z.lte(2_147_483_647), z.describe("id of the interval, as the history answers it")),
  from: z.optional(Seconds),
  to: z.optional(Seconds).check(z.describe("of an interval that has ended")),
  opening: z.optional(RegisterReadings).check(z.describe("in place of those stored")),
  closing: z.optional(RegisterReadings),
  act: Note,
  note: Note,
  meterless: z
    .optional(z.enum(meterlessMethods))
    .check(
      z.describe(
        "of the time without a meter that changes; absent: as it was counted, an entered amount is asked for again",
      ),
    ),
  meterless_amount,
};

const correctionProblems = [
  "not_found",
  "demo_refused",
  "wrong_input",
  "point_moment",
  "point_register_unknown",
  "point_register_taken",
  "point_device_taken",
  "point_resource",
  "point_device_trashed",
  "point_limit",
  "point_load_unknown",
  "period_closed",
] as const;

/** An amount of time without a meter. */
const GapAmount = z.object({ from: Seconds, to: Seconds, amount: z.number() });

const termValue = {
  number: z
    .optional(z.nullable(z.number().check(z.gte(0), z.lte(100_000_000))))
    .check(z.describe("ratio, share of losses, or kW")),
  voltage_level_id: z.optional(z.nullable(z.int().check(z.gte(1), z.lte(4)))),
  consumer_id: z.optional(z.nullable(NodeId)),
  supplier_id: z.optional(z.nullable(NodeId)),
  standard: z.optional(z.nullable(PointStandard)),
};

const changingTerms = ["not_found", "demo_refused", "point_moment", "point_limit", "period_closed"] as const;

/** The devices that measure a point, one after another, and its dated terms. */
export const pointDevices = {
  tieDevice: call({
    id: "point.tieDevice",
    method: "PUT",
    path: "objects/accounting_point/tie_device",
    right: tiesDevices,
    reach: "branch",
    isOnce: true,
    summary: "A register of a device measures the point from a moment on",
    body: z.object({
      ...tie,
      ...confirmation,
      to: z.optional(Seconds),
      closing: z.optional(RegisterReadings),
    }),
    reply: Nothing,
    problems: [...tieProblems, "point_reading_doubted"],
  }),
  untieDevice: call({
    id: "point.untieDevice",
    method: "PUT",
    path: "objects/accounting_point/untie_device",
    right: tiesDevices,
    reach: "branch",
    isOnce: true,
    summary: "The device measures the point no longer, from a moment on; its readings stay with the point",
    body: z.object({
      ...pointId,
      device_id: Id,
      to: Moment,
      last_value: Reading,
      closing: z.optional(RegisterReadings),
      note: Note,
      ...confirmation,
    }),
    reply: Nothing,
    problems: [
      "point_reading_doubted",
      "not_found",
      "demo_refused",
      "point_device_absent",
      "point_moment",
      "point_register_unknown",
      "period_closed",
    ],
  }),
  replaceDevice: call({
    id: "point.replaceDevice",
    method: "PUT",
    path: "objects/accounting_point/replace_device",
    right: tiesDevices,
    reach: "branch",
    isOnce: true,
    summary: "Another device measures the point from now on, with the last and first readings of both",
    body: z.object({ ...replacement, ...confirmation }),
    reply: Nothing,
    problems: [...tieProblems, "point_reading_doubted", "point_device_absent", "point_load_unknown"],
  }),
  checkReplacement: call({
    id: "point.checkReplacement",
    isOwn: true,
    method: "POST",
    path: "objects/accounting_point/check_replacement",
    right: tiesDevices,
    reach: "branch",
    summary: "What a replacement with these readings would do to the totals of the point; stores nothing",
    body: z.object(replacement),
    reply: ReplacementCheck,
    problems: [...tieProblems, "point_device_absent"],
  }),
  undoReplacement: call({
    id: "point.undoReplacement",
    isOwn: true,
    method: "PUT",
    path: "objects/accounting_point/undo_replacement",
    right: tiesDevices,
    reach: "branch",
    isOnce: true,
    summary: "Undoes the last replacement: the old device measures on as if it had never been removed",
    body: z.object(pointId),
    reply: Nothing,
    problems: [
      "not_found",
      "demo_refused",
      "point_replacement_none",
      "point_register_taken",
      "period_closed",
    ],
  }),
  registers: call({
    id: "point.registers",
    isOwn: true,
    method: "POST",
    path: "objects/accounting_point/registers",
    right: reads,
    reach: "branch",
    summary: "Registers of a device with their last readings, and which one would measure the point",
    body: z.object({ ...pointId, device_id: Id }),
    reply: z.object({
      main: z.nullable(z.string()),
      registers: z.array(
        z.object({
          field: z.string(),
          title: z.string(),
          title_en: z.string(),
          unit: z.string(),
          last_value: z.nullable(z.number()),
          last_at: z.nullable(Seconds),
          accounting_point_id: z.nullable(Id).check(z.describe("the point that it measures now")),
        }),
      ),
    }),
    problems: ["not_found"],
  }),
  correctTie: call({
    id: "point.correctTie",
    isOwn: true,
    method: "PUT",
    path: "objects/accounting_point/correct_tie",
    right: tiesDevices,
    reach: "branch",
    isOnce: true,
    summary: "Corrects an interval of a device: its ends, readings, act; the numbers that rest on it follow",
    body: z.object({ ...correction, ...confirmation, reason: Reason }),
    reply: Nothing,
    problems: [...correctionProblems, "point_reading_doubted"],
  }),
  checkCorrection: call({
    id: "point.checkCorrection",
    isOwn: true,
    method: "POST",
    path: "objects/accounting_point/check_correction",
    right: tiesDevices,
    reach: "branch",
    summary: "What a correction of an interval would do to the months of the point; stores nothing",
    body: z.object(correction),
    reply: z.object({
      unit: z.string(),
      months: z
        .array(
          z.object({
            month: z.string(),
            before: z.nullable(z.number()).check(z.describe("with the ratio; null: not known")),
            after: z.nullable(z.number()),
          }),
        )
        .check(z.describe("those of which a day is computed again, both sides computed now")),
      is_too_long: z.boolean().check(z.describe("more than two years would change: they are not computed")),
      meterless_before: z.array(GapAmount),
      meterless_after: z.array(GapAmount),
    }),
    problems: correctionProblems,
  }),
  setTerm: call({
    id: "point.setTerm",
    isOwn: true,
    method: "POST",
    path: "objects/accounting_point/term/set",
    right: updates,
    reach: "branch",
    summary: "Sets a term of a point from a moment on, or within an interval; null ends it",
    body: z.object({
      ...pointId,
      kind: z.enum(settableTermKinds),
      from: Moment,
      to: z.optional(z.nullable(Seconds)),
      ...termValue,
      reading: z.optional(RegisterReadings).check(z.describe("registers at `from`, for a change of ratio")),
      note: Note,
    }),
    reply: Nothing,
    problems: changingTerms,
  }),
};

/** Transformers of the reference, tied to points. */
export const pointTransformers = {
  tie: call({
    id: "transformer.tie",
    isOwn: true,
    method: "POST",
    path: "reference/transformer/tie",
    right: updates,
    reach: "branch",
    summary: "A transformer stands at a point from a moment on, or for an interval; the ratio follows",
    body: z.object({
      ...pointId,
      transformer_id: Id,
      from: Moment,
      to: z.optional(z.nullable(Seconds)),
      reading: z.optional(RegisterReadings),
      note: Note,
    }),
    reply: Nothing,
    problems: changingTerms,
  }),
  untie: call({
    id: "transformer.untie",
    isOwn: true,
    method: "POST",
    path: "reference/transformer/untie",
    right: updates,
    reach: "branch",
    summary: "A transformer stands at a point no longer, from a moment on",
    body: z.object({ ...pointId, transformer_id: Id, to: Moment, note: Note }),
    reply: Nothing,
    problems: [...changingTerms, "point_transformer_absent"],
  }),
};
