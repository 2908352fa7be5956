import { meterModels, modelById, type MeterModel } from "@metrum/catalogue";
import {
  fieldFault,
  problem,
  type MessageCode,
  type Params,
  type ParsedOf,
  type ReplyOf,
  type readings,
} from "@metrum/contract";
import { record, type Ctx } from "#core";
import { clockFault } from "./clockBounds.ts";
import { deviceOf } from "./deviceOf.ts";
import { enteredTotal } from "./enteredTotal.ts";
import { checksOf } from "./plausible.ts";
import type { Incoming, Values } from "./types.ts";

const readingsType = 1;
const manualFields = ["tariff0", "tariff1", "tariff2", "tariff3", "tariff4", "tariff5", "in1"] as const;

/** Readings can be entered for every meter; another type of message only if the model shows it. */
function mayBeEntered(modelId: number, msgType: number): boolean {
  if (msgType === readingsType) return true;
  const model = modelById(modelId);
  return model?.kind === "meter" && Object.values(model.tabs).some((tab) => holds(tab.msgTypes, msgType));
}

const holds = (types: readonly number[], type: number): boolean => types.includes(type);

/**
 * Refuses fields that no meter of the resource has (water has no tariffs): they would not be shown. Problem:
 * wrong_input with each such field.
 */
function checkFields(modelId: number, entered: readonly (typeof manualFields)[number][]): void {
  const model = modelById(modelId);
  if (model?.kind !== "meter") return;
  const wrong = entered.filter((name) => !isOfResource(model.resource, name));
  const faults = wrong.map((name) => [`message.${name}`, [fieldFault("value_field", { name })]] as const);
  if (faults.length > 0) throw problem("wrong_input", { attributes: Object.fromEntries(faults) });
}

/** If there is a first tariff there may be others. */
function isOfResource(resource: MeterModel["resource"], name: (typeof manualFields)[number]): boolean {
  const counted = name === "in1" || name === "tariff0" ? name : "tariff1";
  return meterModels.some((model) => model.resource === resource && model.fields.includes(counted));
}

/** The total that follows from the entered tariffs: its source says that it is calculated. */
async function totalOf({ db, parts }: Ctx, reading: Incoming, modelId: number): Promise<Incoming[]> {
  const { deviceId, msgType, ts, values } = reading;
  const entered = { deviceId, modelId, msgType, ts, values };
  const tariff0 = await enteredTotal({ db, sets: parts.readingStore.sets }, entered);
  if (tariff0 === undefined) return [];
  return [{ ...reading, source: "calculated", status: "manual", values: { tariff0 } }];
}

/**
 * A reading entered manually: it takes precedence over the meter's own, and always has an author. It is stored even
 * if it contradicts the readings around it, which the answer says.
 */
export async function enterReading(
  ctx: Ctx,
  { device_id, msgType, message }: ParsedOf<typeof readings.dirtyOne>["body"],
): Promise<ReplyOf<typeof readings.dirtyOne>> {
  const { id: deviceId, model_id } = await deviceOf(ctx, device_id);
  if (!mayBeEntered(model_id, msgType ?? readingsType))
    throw problem("wrong_input", { attributes: { msgType: ["no such type of message in this model"] } });
  const entered = manualFields.filter((name) => (message[name] ?? null) !== null);
  const values: Values = Object.fromEntries(entered.map((name) => [name, message[name]]));
  if (entered.length === 0)
    throw problem("wrong_input", { attributes: { message: ["no value was entered"] } });
  checkFields(model_id, entered);
  const { reason, method } = message;
  const reading: Incoming = {
    deviceId,
    msgType: msgType ?? readingsType,
    ts: message.datetime,
    ...(message.realdatetime === undefined ? {} : { meterAt: message.realdatetime }),
    receivedAt: ctx.clock.now(),
    source: "manual",
    values,
    extra: { reason: reason ?? null, method: method ?? null },
    userId: ctx.scope.userId,
    reason: "entered by hand",
  };
  // The user can correct a wrong time at once, so nothing goes into quarantine.
  if (clockFault(reading, { depths: new Map() }))
    throw problem("wrong_input", { attributes: { "message.datetime": ["out of the possible range"] } });
  const calculated = await totalOf(ctx, reading, model_id);
  const checks = await checkedAgainst(ctx, reading, calculated);
  const [outcome] = await ctx.parts.readingStore.ingestEach([reading, ...calculated]);
  if (outcome === "refused")
    throw problem("wrong_input", { attributes: { "message.datetime": ["a corrected value stands there"] } });
  await record(ctx, { action: "reading.enter", subject: `device ${String(deviceId)}`, after: message });
  return { checks };
}

/** The values that are about to be stored, against the readings around them. */
async function checkedAgainst({ db, parts }: Ctx, reading: Incoming, calculated: readonly Incoming[]) {
  const { sets, metadata } = parts.readingStore;
  const { deviceId, ts } = reading;
  const device = (await metadata.of([deviceId])).get(deviceId);
  const values: Values = calculated.reduce((all, each) => ({ ...all, ...each.values }), reading.values);
  return device ? checksOf({ db, sets }, { device, ts, values }) : [];
}

type Checks = ReplyOf<typeof readings.dirtyOne>["checks"];

/** What the message says of a reading that was stored: the first doubt about it. */
export function warningOf(checks: Checks): [MessageCode, Params?] {
  const found = checks.find(({ verdict }) => verdict !== "ok" && verdict !== "unknown");
  if (!found) return ["saved"];
  const { verdict, given, last_value, next_value, difference, expected } = found;
  if (verdict === "below") return ["reading_below", { given, before: last_value ?? 0 }];
  if (verdict === "beyond") return ["reading_beyond", { given, after: next_value ?? 0 }];
  const grown = difference ?? 0;
  return expected === null
    ? ["reading_grown", { grown, before: last_value ?? 0 }]
    : ["reading_above", { grown, expected }];
}
