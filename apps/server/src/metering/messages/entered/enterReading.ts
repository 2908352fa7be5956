import { isFieldName, statuses, type DeviceId } from "@metrum/vocabulary";
import { deviceOf } from "../views/index.ts";
import { meterModels, modelById, type MeterModel } from "@metrum/catalogue";
import { fieldFault, problem, type Params, type ParsedOf, type ReplyOf } from "@metrum/contract/core";
import type { MessageCode } from "@metrum/contract/messages";
import type { readings } from "@metrum/contract/metering";
import { record, type Ctx } from "#core";
import { clockFault, counterTypes, type Incoming, type Values } from "../rows/index.ts";
import { enteredTotal } from "./enteredTotal.ts";
import { checksOf, standingAt } from "./plausible.ts";
import { vouched, withDoubts } from "./vouch.ts";

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

type Body = ParsedOf<typeof readings.dirtyOne>["body"];
type Reply = ReplyOf<typeof readings.dirtyOne>;
type Check = Reply["checks"][number];

/**
 * A reading entered manually; it always has an author. What contradicts the trusted readings around it, or differs from
 * what was measured then, is stored as suspect and counts only once a person has confirmed it, here or among the
 * exceptions of validation. Problem: wrong_input.
 */
export async function enterReading(ctx: Ctx, body: Body): Promise<Reply> {
  const { id: deviceId, model_id } = await deviceOf(ctx, body.device_id);
  const vouching = vouchingOf(ctx, body);
  const reading = enteredOf(ctx, body, { deviceId, modelId: model_id });
  const { sets, metadata } = ctx.parts.readingStore;
  const calculated = await totalOf(ctx, reading, model_id);
  const device = (await metadata.of([deviceId])).get(deviceId);
  const types = new Set([reading.msgType, ...counterTypes]);
  const standing = new Map<number, Awaited<ReturnType<typeof standingAt>>>();
  for (const msgType of types)
    standing.set(msgType, await standingAt({ db: ctx.db, sets }, { ...reading, msgType }));
  const values: Values = calculated.reduce((all, each) => ({ ...all, ...each.values }), reading.values);
  const given = { ts: reading.ts, values, standing: [...standing.values()] };
  const checks = device ? await checksOf({ db: ctx.db, sets }, { ...given, device }) : [];
  const doubted = vouching ? nothingDoubted : doubtedOf(checks, { reading, calculated });
  const own = vouching ? [vouched(reading, vouching)] : withDoubts(reading, doubted, unconfirmed);
  const totals = calculated.map((each) =>
    vouching
      ? { ...each, ...vouching, status: "corrected" as const }
      : doubted.size > 0
        ? { ...each, status: "suspect" as const }
        : each,
  );
  const outcomes = await ctx.parts.readingStore.ingestEach([...own, ...totals]);
  const isHeld = Object.keys(reading.values).every(
    (name) => isFieldName(name) && standing.get(reading.msgType)?.get(name)?.status === statuses.corrected.id,
  );
  if (isHeld && own.every((_, at) => outcomes[at] === "refused"))
    throw problem("wrong_input", { attributes: { "message.datetime": ["a corrected value stands there"] } });
  const counts = doubted.size === 0;
  await record(ctx, {
    action: vouching ? "reading.confirm" : "reading.enter",
    subject: `device ${String(deviceId)}`,
    after: { ...body.message, counts, ...(vouching ? { confirmed: vouching.reason } : {}) },
  });
  return { checks, counts };
}

const nothingDoubted: ReadonlySet<string> = new Set();
/** Reason of an entered value that waits for a confirmation, in the history of its row. */
const unconfirmed = "entered by hand, not confirmed";

/** Who confirms the reading with which reason; undefined: it is not confirmed. Problem: wrong_input. */
function vouchingOf({ scope }: Ctx, { confirm, confirm_reason }: Body) {
  if (confirm !== true) return undefined;
  if (confirm_reason === undefined || confirm_reason === "")
    throw problem("wrong_input", { attributes: { confirm_reason: ["required"] } });
  return { userId: scope.userId, reason: confirm_reason };
}

/** Problem: wrong_input. */
function enteredOf(
  ctx: Ctx,
  { msgType = readingsType, message }: Body,
  { deviceId, modelId }: { readonly deviceId: DeviceId; readonly modelId: number },
): Incoming {
  if (!mayBeEntered(modelId, msgType))
    throw problem("wrong_input", { attributes: { msgType: ["no such type of message in this model"] } });
  const entered = manualFields.filter((name) => (message[name] ?? null) !== null);
  if (entered.length === 0)
    throw problem("wrong_input", { attributes: { message: ["no value was entered"] } });
  checkFields(modelId, entered);
  const { reason, method } = message;
  const reading: Incoming = {
    deviceId,
    msgType,
    ts: message.datetime,
    ...(message.realdatetime === undefined ? {} : { meterAt: message.realdatetime }),
    receivedAt: ctx.clock.now(),
    source: "manual",
    values: Object.fromEntries(entered.map((name) => [name, message[name]])),
    extra: { reason: reason ?? null, method: method ?? null },
    userId: ctx.scope.userId,
    reason: "entered by hand",
  };
  // The user can correct a wrong time at once, so nothing goes into quarantine.
  if (clockFault(reading, { depths: new Map() }))
    throw problem("wrong_input", { attributes: { "message.datetime": ["out of the possible range"] } });
  return reading;
}

const contradicts = ({ verdict }: Check): boolean => verdict !== "ok" && verdict !== "unknown";

/** Values that other readings contradict; if the total that follows from them is contradicted, all of them. */
function doubtedOf(
  checks: readonly Check[],
  { reading, calculated }: { readonly reading: Incoming; readonly calculated: readonly Incoming[] },
): ReadonlySet<string> {
  const doubted = checks.filter(contradicts).map(({ field }) => field);
  const ofTotal = calculated.flatMap(({ values }) => Object.keys(values));
  return new Set(doubted.some((name) => ofTotal.includes(name)) ? Object.keys(reading.values) : doubted);
}

/** What the message says of a reading that was stored: the first doubt about it. */
export function warningOf({ checks, counts }: Reply): [MessageCode, Params?] {
  const found = checks.find(contradicts);
  if (!found || counts) return [found ? "reading_confirmed" : "saved"];
  const { verdict, given, last_value, next_value, measured, difference, expected } = found;
  if (verdict === "differs") return ["reading_differs", { given, measured: measured ?? 0 }];
  if (verdict === "below") return ["reading_below", { given, before: last_value ?? 0 }];
  if (verdict === "beyond") return ["reading_beyond", { given, after: next_value ?? 0 }];
  const grown = difference ?? 0;
  return expected === null
    ? ["reading_grown", { grown, before: last_value ?? 0 }]
    : ["reading_above", { grown, expected }];
}
