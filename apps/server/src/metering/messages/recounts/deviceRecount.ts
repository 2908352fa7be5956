import type { DeviceId, FieldName } from "@metrum/vocabulary";
import type pg from "pg";
import { beginSnapshot, dayOf, inTransaction, startOfDay, type Day, type Services } from "#core";
import { derivedWithin, nearSec } from "../derive/index.ts";
import { dueKinds, forever, markDue, markWhole } from "../due/index.ts";
import { firstAndLastTime } from "../read/index.ts";
import type { DeviceMetadata } from "../rows/index.ts";
import { countWaiting } from "../quarantine/index.ts";
import { differingDays } from "./dayRecount.ts";
import { differingDerived } from "./derivedRecount.ts";
import { hullOf, isWaiting, type Difference, type Examined, type Recount } from "./difference.ts";
import { freshServices } from "./freshServices.ts";
import { differingLatest } from "./latestRecount.ts";
import { differingQuarantine, isOfQuarantine } from "./quarantineRecount.ts";
import { countDevices, devicesAfter, extentOfDays, isZoneDue, waitingSpans } from "./recountStore.ts";
import { messagesOf, nameFields } from "./message.ts";
import { differingTimes } from "./timeRecount.ts";

/** Days a transaction: 45,000 messages where they come every minute. */
const partDays = 31;

/** Days, derived rows, latest values and times of devices, from their messages. */
export const deviceRecount = (services: Services): Recount => ({
  of: "devices",
  kinds: ["device day", "derived row", "latest value", "device time", "quarantine count"],
  count: (companyId) => countDevices(services.database.pool, companyId),
  idsAfter: (after, companyId) => devicesAfter(services.database.pool, { after, companyId }),
  examine: (id, since) => examine(freshServices(services), id as DeviceId, since),
  markDue: async (id, wrong) => {
    const [counts, numbers] = [wrong.filter(isOfQuarantine), wrong.filter((each) => !isOfQuarantine(each))];
    if (counts.length > 0) await countWaiting(services.database.system, [id]);
    const isDerived = ({ kind }: Difference): boolean => kind === "derived row";
    await inTransaction(services.database.pool, async (client) => {
      await client.query("begin");
      const marks = numbers.filter(isDerived).map(({ from, to }) => ({ from, to }));
      await markDue(
        client,
        marks.length === 0 ? [] : [{ kind: dueKinds.derived, deviceId: id, ...hullOf(marks) }],
      );
      if (!numbers.every(isDerived)) await markWhole(client, id);
    });
    return [];
  },
});

async function examine(services: Services, id: DeviceId, since = 0): Promise<Examined> {
  const { pool } = services.database;
  const device = (await services.parts.readingStore.metadata.of([id])).get(id);
  if (!device) return { rows: 0, differences: [] };
  const differences: Difference[] = [];
  const named = new Map<number, Set<FieldName>>();
  let rows = 0;
  const [extent, { first, last }] = await Promise.all([
    firstAndLastTime(pool, { deviceIds: [id], from: 0, to: forever }),
    extentOfDays(pool, [id]),
  ]);
  const days = extent ? [dayOf(device.zone, extent.from), dayOf(device.zone, extent.to)] : [];
  for (const day of [first, last]) if (day !== null) days.push(day);
  const end = Math.max(...days);
  for (let day = Math.max(Math.min(...days), dayOf(device.zone, since)); day <= end; day += partDays) {
    const part = { device, from: day, to: Math.min(day + partDays - 1, end), named };
    const found = await inTransaction(pool, async (client) => {
      await client.query(beginSnapshot);
      return examinePart(services, client, part);
    });
    rows += found.rows;
    differences.push(...found.differences);
  }
  const others = await inTransaction(pool, async (client) => {
    await client.query(beginSnapshot);
    return [
      ...(await differingLatest(services, client, { device, named, isPart: since > 0 })),
      ...(await differingTimes(services, client, device)),
      ...(await differingQuarantine(client, device)),
    ];
  });
  return { rows, differences: [...differences, ...others] };
}

interface Part {
  readonly device: DeviceMetadata;
  /** Both inclusive. */
  readonly from: Day;
  readonly to: Day;
  /** Fields with a value that is not rejected, by type: filled here. */
  readonly named: Map<number, Set<FieldName>>;
}

async function examinePart(services: Services, client: pg.ClientBase, part: Part): Promise<Examined> {
  const { device, from, to, named } = part;
  const span = { from: startOfDay(device.zone, from), to: startOfDay(device.zone, to + 1) - 1 };
  const isDue = await isZoneDue(client, device.id);
  const derivedDue = await waitingSpans(client, dueKinds.derived, [device.id]);
  const messages = await messagesOf(services, client, { id: device.id, ...span });
  nameFields(named, messages);
  const days = await differingDays(services, client, { device, from, to, messages });
  const derived =
    device.isVirtual === true
      ? []
      : differingDerived({
          device,
          messages,
          derived: await derivedWithin(services, client, { device, ...span }),
        });
  return {
    rows: messages.length,
    differences: [
      ...days.map((each) => ({ ...each, waits: isDue })),
      ...derived.map((each) => ({ ...each, waits: isDue || isWaiting(derivedDue, each, nearSec.day) })),
    ],
  };
}
