import {
  inOrderOf,
  isLeftOut,
  sourceOfValue,
  statusOfValue,
  type ByField,
  type FieldSet,
  type ValueOrigin,
} from "../rows/index.ts";

/** Origin of a latest value: `ts` is the slot of its message. */
export interface LatestOrigin extends ValueOrigin {
  readonly ts: number;
}

/**
 * The newest value of each field of a device and message type, without rejected ones and entered ones that nobody has
 * confirmed: shown in lists, and compared with new counter values. Stamps, status and source are those of the newest message; values with
 * another origin have their own.
 */
export interface Latest {
  readonly ts: number;
  readonly receivedAt: number;
  readonly status: number;
  readonly source: number;
  readonly set: FieldSet;
  readonly v: readonly (number | null)[];
  readonly by_field: ByField<LatestOrigin> | null;
}

/** A message as input of the latest values. */
export interface LatestMessage extends Omit<Latest, "by_field"> {
  readonly by_field: ByField | null;
}

/** When the value of a field was measured. */
export function tsOfLatest({ ts, by_field }: Pick<Latest, "ts" | "by_field">, name: string): number {
  return by_field?.[name]?.ts ?? ts;
}

/** The same values in the order of another set with all their fields. */
export function latestIn(latest: Latest, set: FieldSet): Latest {
  return latest.set.id === set.id ? latest : { ...latest, set, v: inOrderOf(set, latest.set, latest.v) };
}

/**
 * The latest values updated by a message of the same set, in any order of messages. A message of the same
 * slot replaces the earlier one, unless it `isOnlyOffered`: then it may still be refused.
 */
export function withMessage(
  latest: Latest | undefined,
  message: LatestMessage,
  isOnlyOffered = false,
): Latest | undefined {
  if (message.by_field === null && isLeftOut(message)) return latest;
  if (isOfOneOrigin(message) && replacesAll(latest, message) && !(isOnlyOffered && latest?.ts === message.ts))
    return message;
  if (latest && addsNothing(latest, message)) return latest;
  return merged(latest, message, isOnlyOffered);
}

function isOfOneOrigin(message: LatestMessage): message is LatestMessage & { readonly by_field: null } {
  return message.by_field === null;
}

/** Every field has a value and all of them one origin: the newest message is complete. */
export function isWhole(message: LatestMessage): message is LatestMessage & { readonly by_field: null } {
  return isOfOneOrigin(message) && !isLeftOut(message) && !message.v.includes(null);
}

/** The message has every known value, and none of them is older. */
function replacesAll(latest: Latest | undefined, message: LatestMessage): boolean {
  if (!latest) return true;
  if (latest.ts > message.ts) return false;
  for (let at = 0; at < message.v.length; at++)
    if (message.v[at] === null && (latest.v[at] ?? null) !== null) return false;
  return true;
}

/** The message is older than the known values of all its fields, as with late archives and repeats. */
function addsNothing(latest: Latest, message: LatestMessage): boolean {
  if (latest.ts <= message.ts) return false;
  for (let at = 0; at < message.v.length; at++) {
    if (message.v[at] === null) continue;
    if ((latest.v[at] ?? null) === null) return false;
    const name = message.set.fields[at];
    if (latest.by_field && name !== undefined && tsOfLatest(latest, name) <= message.ts) return false;
  }
  return true;
}

function merged(latest: Latest | undefined, message: LatestMessage, isOnlyOffered: boolean): Latest {
  const head = latest && latest.ts > message.ts ? latest : message;
  const by_field: Record<string, LatestOrigin> = {};
  let isUnchanged = head === latest;
  const v = message.set.fields.map((name, at) => {
    const old = latest?.v[at] ?? null;
    const value = offeredValue(message, name, at);
    const age = old === null || !latest ? Infinity : message.ts - tsOfLatest(latest, name);
    const isTaken = value !== null && (isOnlyOffered ? age > 0 : age >= 0);
    if (isTaken) isUnchanged = false;
    if (!isTaken && old === null) return null;
    const origin = isTaken || !latest ? originOf(message, name) : standingOrigin(latest, name);
    if (!isSame(origin, head)) by_field[name] = origin;
    return isTaken ? value : old;
  });
  if (latest && isUnchanged) return latest;
  const { ts, receivedAt, status, source } = head;
  const differs = Object.keys(by_field).length > 0;
  return { ts, receivedAt, status, source, set: message.set, v, by_field: differs ? by_field : null };
}

function offeredValue(message: LatestMessage, name: string, at: number): number | null {
  const origin = { status: statusOfValue(message, name), source: sourceOfValue(message, name) };
  return isLeftOut(origin) ? null : (message.v[at] ?? null);
}

const standingOrigin = (latest: Latest, name: string): LatestOrigin =>
  latest.by_field?.[name] ?? headOf(latest);

const headOf = ({ ts, receivedAt, status, source }: Omit<LatestMessage, "by_field">): LatestOrigin => ({
  ts,
  status,
  source,
  received_at: receivedAt,
});

function originOf(message: LatestMessage, name: string): LatestOrigin {
  const own = message.by_field?.[name];
  return own ? { ts: message.ts, ...own } : headOf(message);
}

function isSame(
  origin: LatestOrigin,
  head: Pick<Latest, "ts" | "receivedAt" | "status" | "source">,
): boolean {
  return (
    origin.ts === head.ts &&
    origin.received_at === head.receivedAt &&
    origin.status === head.status &&
    origin.source === head.source
  );
}
