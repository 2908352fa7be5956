import type { FieldName } from "@metrum/vocabulary";
import type pg from "pg";
import type { Services } from "#core";
import { makeSet, type DeviceMetadata } from "../rows/index.ts";
import { countedBefore, latestOfMessages, readLatestOf, type Latest } from "../latest/index.ts";
import { differing, timeText, type Difference, type Parts } from "./difference.ts";
import { setsUsed } from "../read/index.ts";

interface Given {
  readonly device: DeviceMetadata;
  /** Fields that have a value somewhere, by type. */
  readonly named: ReadonlyMap<number, ReadonlySet<FieldName>>;
  /** Not all messages were named: fields that have a stored value are looked for too. */
  readonly isPart: boolean;
}

/** Latest values of a device that are not those of its newest messages. */
export async function differingLatest(
  services: Services,
  client: pg.ClientBase,
  { device, named, isPart }: Given,
): Promise<Difference[]> {
  const { sets } = services.parts.readingStore;
  const types = [...new Set((await setsUsed(client, device.id)).map((row) => row.msg_type))];
  const pairs = types.map((msgType) => ({ device, msgType }));
  const latest = pairs.length === 0 ? new Map<string, Latest>() : await readLatestOf(client, sets, pairs);
  const differences: Difference[] = [];
  for (const msgType of types) {
    const stored = latest.get(`${String(device.id)} ${String(msgType)}`);
    const wanted = new Set(named.get(msgType));
    if (isPart) for (const name of valued(stored)) wanted.add(name);
    const names = new Set([...wanted, ...(stored?.set.fields ?? [])]);
    const set = makeSet(-1, [...names].sort());
    const counted = await latestOfMessages(client, sets, {
      ...{ deviceId: device.id, msgType, set, wanted },
      before: countedBefore(services.clock),
    });
    const found = differing(stored && partsOf(stored), counted && partsOf(counted));
    if (!found) continue;
    const ts = stored?.ts ?? counted?.ts ?? 0;
    const id = `device ${String(device.id)}, type ${String(msgType)}`;
    differences.push({
      kind: "latest value",
      id,
      at: timeText(ts),
      ...found,
      from: 0,
      to: ts,
      waits: false,
    });
  }
  return differences;
}

const valued = (latest: Latest | undefined): FieldName[] =>
  latest?.set.fields.filter((_, at) => (latest.v[at] ?? null) !== null) ?? [];

/** Values by field, and the origin of those that differ from the newest message. */
function partsOf({ ts, receivedAt, status, source, set, v, by_field }: Latest): Parts {
  const parts = new Map<string, number | null>(
    Object.entries({ ts, received_at: receivedAt, status, source }),
  );
  set.fields.forEach((name, at) => parts.set(name, v[at] ?? null));
  for (const [name, origin] of Object.entries(by_field ?? {}))
    for (const [what, value] of Object.entries(origin ?? {})) parts.set(`${name} ${what}`, value as number);
  return parts;
}
