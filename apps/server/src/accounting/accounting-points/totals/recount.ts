import type { AccountingPointId } from "@metrum/vocabulary";
import type pg from "pg";
import { beginSnapshot, dayOf, dayText, inTransaction, startOfDay, type Day, type Services } from "#core";
import {
  differing,
  freshServices,
  isWaiting,
  timeText,
  type Difference,
  type Examined,
  type Recount,
  type TimeSpan,
} from "#metering/messages";
import { dayFlags, type RecognisedEvent } from "../records/index.ts";
import { farReach, mainRegister, nearest, type DayRow } from "../days/index.ts";
import { markPoint } from "./pointDueStore.ts";
import { aheadSec, computeDays, firstDay, nextLength, partDays, type Computed } from "./recompute.ts";
import {
  countPoints,
  pointsAfter,
  storedEvents,
  waitingDays,
  wrongMonths,
  zoneOfPoint,
} from "./recountStore.ts";
import { historyOf, type Window } from "./sources.ts";
import { lockDays, repackMonths, storedDayRows, storedDays } from "./totalsStore.ts";

/** Days, packed months and recognised events of points, from the readings of their devices. */
export const pointRecount = (services: Services): Recount => ({
  of: "points",
  kinds: ["point day", "point month", "point event"],
  count: (companyId) => countPoints(services.database.pool, companyId),
  idsAfter: (after, companyId) => pointsAfter(services.database.pool, { after, companyId }),
  examine: (id, since) => examine(freshServices(services), id as AccountingPointId, since),
  markDue: async (id, wrong) => {
    await markWrong(services, id as AccountingPointId, wrong);
    return [];
  },
});

/** Days are computed by their workers; a month is packed by the database, as it does when a day changes. */
async function markWrong(
  { database }: Services,
  id: AccountingPointId,
  wrong: readonly Difference[],
): Promise<void> {
  const isMonth = ({ kind }: Difference): boolean => kind === "point month";
  for (const { from, to } of wrong.filter((each) => !isMonth(each)))
    await markPoint(database.system, id, { from, to });
  const months = wrong.filter(isMonth).map(({ at }) => at);
  if (months.length === 0) return;
  await inTransaction(database.pool, async (client) => {
    await client.query("begin");
    await lockDays(client, id);
    await repackMonths(client, id, months);
  });
}

async function examine(services: Services, id: AccountingPointId, since = 0): Promise<Examined> {
  const differences: Difference[] = [];
  let rows = 0;
  const zone = await zoneOfPoint(services.database.pool, id);
  let [next, days]: [Day | undefined, number] = [dayOf(zone ?? "UTC", since), partDays.first];
  while (next !== undefined) {
    const from: Day = next;
    const part = await inTransaction(services.database.pool, async (client) => {
      await client.query(beginSnapshot);
      return examinePart(services, client, { id, from, days });
    });
    rows += part.rows;
    differences.push(...part.differences);
    next = part.next;
    days = nextLength(days, part.rows);
  }
  const months = await differingMonths(services, id);
  return { rows, differences: [...differences, ...months] };
}

interface Part {
  readonly id: AccountingPointId;
  readonly from: Day;
  readonly days: number;
}

/** The next days of a point that have a row or anything to compute one of. */
async function examinePart(
  services: Services,
  client: pg.ClientBase,
  { id, from, days }: Part,
): Promise<Examined & { readonly next?: Day }> {
  const history = await historyOf(services, client, id);
  if (!history) return { rows: 0, differences: [] };
  const { zone, stored: fields } = history;
  const last = dayOf(zone, services.clock.now() + aheadSec);
  const { next } = await storedDays(client, { pointId: id, fields, from, falls: { from, to: from } });
  const first = await firstDay(client, { from, to: last, history, stored: next });
  if (first === undefined) return { rows: 0, differences: [] };
  const window = { pointId: id, zone, from: first, to: Math.min(first + days - 1, last) };
  const computed = await computeDays(services, client, { window, history });
  const waiting = await waitingDays(client, id);
  const stored = await storedDayRows(client, id, window);
  return {
    rows: computed.values,
    differences: [
      ...differingDays(window, { stored, computed, waiting }),
      ...(await differingEvents(client, window, { computed, waiting })),
    ],
    ...(window.to < last ? { next: window.to + 1 } : {}),
  };
}

interface Compared {
  readonly stored: readonly DayRow[];
  readonly computed: Computed;
  readonly waiting: readonly TimeSpan[];
}

function differingDays(window: Window, { stored, computed, waiting }: Compared): Difference[] {
  const [first, last] = [dayText(window.from), dayText(window.to)];
  const key = ({ day, field }: DayRow): string => `${day} ${field}`;
  const now = new Map(
    computed.registers
      .flatMap(({ rows }) => rows.filter(({ day }) => day >= first && day <= last))
      .map((row) => [key(row), row]),
  );
  const before = new Map(stored.map((row) => [key(row), row]));
  return [...new Set([...before.keys(), ...now.keys()])].sort().flatMap((name) => {
    const [old, counted] = [before.get(name), now.get(name)];
    const found = differing(old && partsOf(old), counted && partsOf(counted));
    const { day, field } = old ?? counted ?? { day: "", field: "" };
    if (!found) return [];
    const span = spanOfDay(window.zone, day);
    const waits = isWaiting(waiting, span, reachOf([old, counted]));
    return [{ kind: "point day", id: nameOf(window, field), at: day, ...found, ...span, waits }];
  });
}

const nameOf = ({ pointId }: Pick<Window, "pointId">, field: string): string =>
  `point ${String(pointId)}, ${field}`;

const partsOf = ({ field: _, day: __, ...row }: DayRow) => new Map(Object.entries(row));

function spanOfDay(zone: string, day: string): TimeSpan {
  const number = Date.parse(`${day}T00:00:00Z`) / 86_400_000;
  return { from: startOfDay(zone, number), to: startOfDay(zone, number + 1) - 1 };
}

/** How far away a changed reading can be on which these days depend: across a gap any distance. */
function reachOf(days: readonly (DayRow | undefined)[]): number {
  const rows = days.flatMap((row) => row ?? []);
  if (rows.some((row) => row.gap_amount !== null)) return Infinity;
  const isRare = (row: DayRow): boolean =>
    row.known_sec < row.length_sec || (row.flags & dayFlags.rare) !== 0;
  return rows.some(isRare) ? farReach : nearest;
}

async function differingEvents(
  client: pg.ClientBase,
  window: Window,
  { computed, waiting }: Omit<Compared, "stored">,
): Promise<Difference[]> {
  // An event at midnight belongs to the day that it ends.
  const span = {
    from: startOfDay(window.zone, window.from) + 1,
    to: startOfDay(window.zone, window.to + 1),
  };
  const key = ({ ts, kind, device_id }: RecognisedEvent): string =>
    `${String(ts)} ${kind} ${String(device_id)}`;
  const isInside = ({ ts }: RecognisedEvent): boolean => ts >= span.from && ts <= span.to;
  const now = new Map(computed.events.filter(isInside).map((event) => [key(event), event]));
  const before = new Map<string, RecognisedEvent>();
  for (const event of await storedEvents(client, window.pointId, span))
    if (event.is_entered) now.delete(key(event));
    else before.set(key(event), event);
  return [...new Set([...before.keys(), ...now.keys()])].flatMap((name) => {
    const [old, counted] = [before.get(name), now.get(name)];
    const found = differing(old && eventParts(old), counted && eventParts(counted));
    const event = old ?? counted;
    if (!found || !event) return [];
    const at = { from: event.ts - 1, to: event.ts };
    const waits = isWaiting(waiting, at, farReach);
    const id = nameOf(window, mainRegister);
    return [{ kind: "point event", id, at: timeText(event.ts), ...found, ...at, waits }];
  });
}

const eventParts = ({ kind, device_id, details }: RecognisedEvent): Map<string, string | number> =>
  new Map<string, string | number>([
    [kind, `device ${String(device_id)}`],
    ...Object.entries(details).map(([name, value]) => [name, String(value)] as const),
  ]);

/** Texts of months that are not those of the stored days. */
async function differingMonths({ database }: Services, id: AccountingPointId): Promise<Difference[]> {
  const wrong = await wrongMonths(database.pool, id);
  return wrong.flatMap(({ month, days, packed }) => {
    const found = differing(monthParts(days), monthParts(packed));
    // The same days in another order are read as they are.
    if (!found) return [];
    const from = Date.parse(`${month}T00:00:00Z`) / 1000;
    const kind = "point month";
    return [
      { kind, id: nameOf({ pointId: id }, mainRegister), at: month, ...found, from, to: from, waits: false },
    ];
  });
}

/** "2:12.5 3:13": amounts by day of the month. */
const monthParts = (text: string | null): Map<string, string> | undefined =>
  text === null
    ? undefined
    : new Map(
        text.split(" ").map((each) => {
          const colon = each.indexOf(":");
          return [`day ${String(Number(each.slice(0, colon)) + 1)}`, each.slice(colon + 1)];
        }),
      );
