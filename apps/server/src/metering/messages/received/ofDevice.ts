import { dayOf, startOfDay, type Db } from "#core";
import {
  dueFromDays,
  fillingTypes,
  judge,
  pairsIn,
  profileType,
  startsOfHours,
  type Judged,
  type Received,
} from "./received.ts";
import { hoursAndFirstDays } from "./receivedStore.ts";
import { gridOf, slotsOf, type Grid, type Slot, type Span } from "./slots.ts";

/** A message type of a device in a range. */
export interface WantedReceived {
  readonly device: Judged;
  readonly msgType: number;
  readonly profile?: 30 | 60 | undefined;
  readonly span: Span;
  readonly now: number;
}

interface Planned {
  readonly grid: Grid;
  readonly types: readonly number[];
  /** None of half-hours: only their rows tell where their range begins. */
  readonly slots: readonly Slot[];
}

/** What was read to judge a range; null: rows of the type are never due. */
export type LoadedReceived = (Planned & Awaited<ReturnType<typeof hoursAndFirstDays>>) | null;

/** Reads in one statement what `receivedOf` needs. The device must come from a query on `device` in the same transaction. */
export async function loadReceived(db: Db, wanted: WantedReceived): Promise<LoadedReceived> {
  const planned = plannedOf(wanted);
  if (!planned) return null;
  const { device, span } = wanted;
  const { types, slots } = planned;
  const pairs = pairsIn([{ device, types }]);
  const [first, last] = [slots[0], slots.at(-1)];
  const { created_at = -Infinity } = device;
  const read = await hoursAndFirstDays(db, {
    wanted: pairs,
    span: first && last && { from: first.since, to: last.to },
    young: created_at > span.from ? pairs : [],
  });
  return { ...planned, ...read };
}

function plannedOf(wanted: WantedReceived): Planned | undefined {
  const { device, msgType, profile } = wanted;
  const grid = gridOf(msgType, { reportPeriodSec: device.report_period_update, profile });
  if (!grid) return undefined;
  const slots = msgType === profileType ? [] : slotsIn(grid, device, wanted);
  return { grid, types: fillingTypes(msgType, device.model_id, grid), slots };
}

const slotsIn = (
  grid: Grid,
  { zone }: Judged,
  { span, now }: Pick<WantedReceived, "span" | "now">,
): readonly Slot[] => slotsOf(grid, zone, { from: span.from, to: Math.min(span.to, tomorrow(zone, now)) });

/** The end of tomorrow: a clock that runs ahead does not extend the range by years. */
const tomorrow = (zone: string, now: number): number => startOfDay(zone, dayOf(zone, now) + 2);

/**
 * Due and received rows of a message type of a device in a range: the single source of every share and every
 * gap. Null if rows of the type are never due. Half-hours are counted by their rows, which the caller has
 * read; their range may begin later than the one that was loaded.
 * @param rowsAt instants of the trusted rows of a half-hour profile, ascending
 */
export function receivedOf(
  loaded: LoadedReceived,
  wanted: WantedReceived & { readonly rowsAt: readonly number[] },
): Received | null {
  if (!loaded) return null;
  const { device, msgType, span, now, rowsAt } = wanted;
  const { grid, types, hours, firstDays } = loaded;
  const counted = [{ device, types }];
  const [dueFrom] = dueFromDays(counted, span.from, firstDays);
  if (msgType === profileType) return judge(slotsIn(grid, device, { span, now }), rowsAt, now, dueFrom);
  const [present = []] = startsOfHours(counted, hours);
  return judge(loaded.slots, present, now, dueFrom);
}
