import { fields, resourceByKey, type DeviceId, type FieldName } from "@metrum/vocabulary";
import { dayOf, type Db, type Services } from "#core";
import { lastSerials } from "#metering/device-state";
import { counterRange, knowingLoads, readLoads, withoutRollover, type SamplesOf } from "#metering/messages";
import {
  isAnythingJudged,
  judgedDevices,
  pointAt,
  ratioOf,
  readRivals,
  readValuesAround,
  rulesOfCompany,
  siblingDays,
  termsOfPoints,
  type Given,
  type JudgedDevice,
  type NamedSerial,
  type RatioOver,
  type Terms,
  type Values,
  type ValuesAround,
} from "../judged/index.ts";
import { judge, type Found, type RulesOfDevice } from "./findings.ts";
import * as store from "./exceptionStore.ts";
import { kinds } from "../kinds/index.ts";
import { rulesFor } from "../rules/index.ts";

const daySec = 86_400;
/** History that rules look back over, and how far around a change a finding can begin or end. */
const historySec = 62 * daySec;
const aroundSec = 2 * daySec;
const reachSec = 31 * daySec;

/** A changed span of a device, both ends inclusive. */
export interface ChangedValues {
  readonly deviceId: DeviceId;
  readonly from: number;
  readonly to: number;
}

type Running = Pick<Services, "database" | "clock" | "parts">;

/**
 * Applies the rules to a changed span; exceptions are added, adjusted, or closed when their cause is gone. A long
 * span is judged by parts, so that each has its history and none is too large; when the turn is over, the start
 * of the rest is returned.
 */
export async function validateSpan(
  services: Running,
  { deviceId, from, to }: ChangedValues,
  isOver: () => boolean = () => false,
): Promise<number | undefined> {
  const { system } = services.database;
  let known: Known | undefined;
  // Nothing stands later: a mark without an end reaches far beyond it.
  const end = Math.min(to, services.clock.now() + daySec) + aroundSec;
  let next = from - aroundSec;
  while (next <= end) {
    if (next > from && isOver()) return next + aroundSec;
    const wanted = { from: next, to: Math.min(next + historySec - 1, end) };
    next = wanted.to + 1;
    if (!(await isAnythingJudged(system, { deviceId, values: seenFrom(wanted), exceptions: wanted })))
      continue;
    known ??= await knownOf(system, deviceId);
    if (!known) return undefined;
    const { device, rules } = known;
    const values = await valuesAround(services, system, device.id, wanted);
    // A dense series is judged by shorter parts: what was not read row by row belongs to the next one.
    const part = { from: wanted.from, to: Math.min(wanted.to, values.wholeTo) };
    next = part.to + 1;
    const found = await knowingLoads(readLoads(system), async (samplesOf) => {
      const given = await givenOf(services, system, device, { span: part, values, samplesOf });
      return given ? judge(given, rules) : [];
    });
    await system.transaction().execute(async (db) => {
      await store.lockDevice(db, device.id);
      const since = Math.max(part.from - reachSec, values.wholeFrom);
      await reconcile(db, { device, rules, found, part, since, at: services.clock.now() });
    });
  }
  return undefined;
}

/** What the values of a part are judged with, of that part or beside it. */
const seenFrom = ({ from, to }: Span) => ({
  from: from - historySec,
  to: to + aroundSec,
});

interface Known {
  readonly device: JudgedDevice;
  readonly rules: RulesOfDevice;
}

async function knownOf(db: Db, deviceId: DeviceId): Promise<Known | undefined> {
  const [device] = await judgedDevices(db, [deviceId]);
  return device && { device, rules: await rulesOf(db, device) };
}

async function rulesOf(db: Db, device: JudgedDevice): Promise<RulesOfDevice> {
  return rulesFor(await rulesOfCompany(db, device.companyId), {
    resource: device.resource,
    modelId: device.modelId,
    pointIds: device.points.map(({ point_id }) => point_id),
  });
}

type Span = Pick<ChangedValues, "from" | "to">;

/** The values that a span is judged with. */
export const valuesAround = (
  { parts: { readingStore } }: Running,
  db: Db,
  deviceId: DeviceId,
  span: Span,
): Promise<ValuesAround> =>
  readValuesAround(db, readingStore.sets, { deviceId, ...seenFrom(span), since: span.from });

/** What one device is judged by around a span; undefined without a value of a register. */
export async function givenOf(
  services: Running,
  db: Db,
  device: JudgedDevice,
  {
    span,
    values: { levels, clock },
    samplesOf,
  }: { readonly span: Span; readonly values: Values; readonly samplesOf: SamplesOf },
): Promise<Given | undefined> {
  const { readingStore } = services.parts;
  const field = mainField(device, levels, span.to);
  if (field === undefined) return undefined;
  const ratioOver = await ratioOf(db, device, { field, at: span.to });
  const metadata = (await readingStore.metadata.of([device.id])).get(device.id);
  return {
    resource: device.resource,
    zone: device.zone,
    now: services.clock.now(),
    field,
    span,
    ratio: ratioOver({ from: span.to, to: span.to + 1 }) ?? 1,
    terms: await termsOf(db, device, { field, ratioOver }),
    serial: await namedSerial(db, device),
    known: device.known,
    rangeOf: (name) =>
      metadata ? counterRange(metadata, name, samplesOf(device.id, name)) : withoutRollover,
    siblings: await siblingDays(db, {
      deviceId: device.id,
      modelId: device.modelId,
      field,
      fromDay: dayOf(device.zone, span.from - historySec),
      toDay: dayOf(device.zone, span.to),
    }),
    levels,
    clock,
    rivals: await readRivals(db, readingStore.sets, { deviceId: device.id, ...span }),
  };
}

/** Terms of the points that a register measures; undefined: it measures none. */
async function termsOf(
  db: Db,
  device: JudgedDevice,
  { field, ratioOver }: { readonly field: FieldName; readonly ratioOver: RatioOver },
): Promise<Terms | undefined> {
  const points = device.points.filter((tie) => tie.field === field);
  if (points.length === 0) return undefined;
  const measured = points.map(({ from_ts: from, to_ts: to }) => ({ from, to }));
  return { measured, ratioOver, ...(await termsOfPoints(db, { ...device, points })) };
}

/** The number that the meter has named last; undefined: it has named none. */
async function namedSerial(db: Db, { id, deviceID }: JudgedDevice): Promise<NamedSerial | undefined> {
  const last = (await lastSerials(db, [id])).get(id);
  return last && { named: last.serial, registered: deviceID, since: last.since, lastAt: last.last_at };
}

/** The register of the point measured then, else the main one of the resource, else the first counter there is. */
function mainField(device: JudgedDevice, levels: Values["levels"], at: number): FieldName | undefined {
  const { resource } = device;
  const tied = pointAt(device, at)?.field;
  const usual = resourceByKey[resource].mainField;
  return (
    [tied, usual, "tariff1" as const, "in1" as const].find((name) => name && levels.has(name)) ??
    [...levels.keys()].find((name) => fields[name].kind === "counter" && name !== "working_time")
  );
}

interface Compared {
  readonly device: JudgedDevice;
  readonly rules: RulesOfDevice;
  readonly found: readonly Found[];
  readonly part: Span;
  /** What began before is not seen whole. */
  readonly since: number;
  readonly at: number;
}

/** Compares what is found now with what stands: found once, however often recomputed. */
async function reconcile(db: Db, { device, rules, found, part, since, at }: Compared): Promise<void> {
  const lowest = Math.min(part.from, ...found.map(({ from }) => from));
  const highest = Math.max(part.to, ...found.map(({ to }) => to));
  const standing = await store.standingExceptions(db, { deviceId: device.id, from: lowest, to: highest });
  const kept = new Set<number>();
  for (const each of found) {
    const numbers = rules.get(each.kind) ?? {};
    const same = standing.filter((other) => isSame(other, each) && !kept.has(other.id));
    const decided = same.find((other) => isDecided(other) && covers(other, each));
    const open = same.find(({ outcome }) => outcome === null);
    const closed = same.find((other) => other.outcome !== null && other.from_ts === each.from);
    if (decided && staysSilent(decided)) kept.add(decided.id);
    else if (open) {
      kept.add(open.id);
      const now = prolonged(open, each, since);
      if (isChanged(open, now)) await store.updateException(db, open.id, now, numbers);
    } else if (closed) {
      kept.add(closed.id);
      await store.reopenException(db, closed.id);
      await store.updateException(db, closed.id, each, numbers);
      await store.addStep(db, {
        exceptionId: closed.id,
        companyId: device.companyId,
        at,
        action: "returned",
      });
    } else {
      const pointId = pointIdAt(device, each.from);
      await store.addException(db, {
        companyId: device.companyId,
        deviceId: device.id,
        pointId,
        found: each,
        numbers,
        at,
      });
    }
  }
  for (const each of standing) {
    const isInside = each.to_ts >= part.from && each.from_ts <= part.to;
    if (each.outcome !== null || kept.has(each.id) || !isInside) continue;
    const reason = !rules.has(each.kind) ? "rule" : each.kind === "gap" ? "filled" : "corrected";
    await store.closeException(db, each.id, { outcome: "gone", at, reason });
    await store.addStep(db, {
      exceptionId: each.id,
      companyId: device.companyId,
      at,
      action: "gone",
      text: reason,
    });
  }
}

function isSame(standing: store.StandingException, found: Found): boolean {
  return (
    standing.kind === found.kind &&
    standing.field === found.field &&
    standing.from_ts <= found.to &&
    standing.to_ts >= found.from
  );
}

/** A finding that began before what this run has looked at keeps its beginning. */
function prolonged(open: store.StandingException, found: Found, since: number): Found {
  const isOlder = open.from_ts < since && found.from > open.from_ts;
  return isOlder ? { ...found, from: open.from_ts } : found;
}

const isDecided = ({ outcome }: store.StandingException): boolean => outcome !== null && outcome !== "gone";

const covers = (standing: store.StandingException, found: Found): boolean =>
  standing.from_ts <= found.from && standing.to_ts >= found.to;

/** Values that were refused and have come again are a new question; a gap stays left, and what doubts no values. */
const staysSilent = ({ outcome, kind }: store.StandingException): boolean =>
  outcome === "accepted" ||
  (outcome === "rejected" && (kind === "gap" || kinds[kind].doubtsNoValues === true));

function isChanged(open: store.StandingException, found: Found): boolean {
  return (
    open.from_ts !== found.from ||
    open.to_ts !== found.to ||
    open.values_n !== found.values ||
    open.code !== found.code ||
    Object.entries(found.evidence).some(([name, value]) => open.evidence[name] !== value)
  );
}

const pointIdAt = (device: JudgedDevice, at: number): number | null => pointAt(device, at)?.point_id ?? null;
