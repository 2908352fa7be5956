import type { DeviceOrder, Obedience } from "@metrum/protocols/core";
import type { Load } from "./load.ts";

/** An order that a device received, and what it did with it. */
export interface TakenOrder {
  /** Epoch seconds UTC. */
  readonly at: number;
  readonly order: DeviceOrder;
  readonly did: Obedience;
}

/** Orders of one device, and their effect on its load. */
export interface OrderBook {
  /** In the order of their receipt; those with `did` "obey" were executed. */
  readonly log: readonly TakenOrder[];
  readonly take: (order: DeviceOrder, at: number, did: Obedience) => Obedience;
  /** The load as far as the device lets it pass. */
  readonly passed: Load;
}

/** What a device lets pass from a time on. */
interface Passage {
  readonly at: number;
  readonly isOn: boolean;
  /** Units of the counter per hour, kW of an electricity meter; infinite without a limit. */
  readonly limit: number;
  /** Consumption withheld until then. */
  readonly withheld: number;
  /** Withheld since then by the limit, at the end of each slot. */
  readonly ends: number[];
}

/** The load is even within these seconds. */
const slotSec = 300;
const hourSec = 3600;

function changed(before: Passage, order: DeviceOrder): Pick<Passage, "isOn" | "limit"> {
  switch (order.kind) {
    case "power":
      return { ...before, isOn: order.isOn };
    case "valve":
      return { ...before, isOn: order.isOpen };
    case "limit":
      return { ...before, limit: order.limitKw ?? Infinity };
    default:
      return before;
  }
}

/** Creates an empty book: the supply is on, without a limit. */
export function createOrderBook(load: Load): OrderBook {
  const log: TakenOrder[] = [];
  const first: Passage = { at: -Infinity, isOn: true, limit: Infinity, withheld: 0, ends: [] };
  const passages: Passage[] = [first];
  const passageAt = (at: number): Passage => passages.findLast((each) => each.at <= at) ?? first;
  const withheldAt = (at: number): number => {
    const passage = passageAt(at);
    return passage.withheld + withheldBy(load, passage, at);
  };
  return {
    log,
    take(order, at, did) {
      log.push({ at, order, did });
      const before = passageAt(at);
      const after = changed(before, order);
      if (did === "obey" && after !== before)
        passages.push({ ...after, at, withheld: withheldAt(at), ends: [] });
      return did;
    },
    passed: {
      drawnAt: (at) => load.drawnAt(at) - withheldAt(at),
      rateAt(at) {
        const { isOn, limit } = passageAt(at);
        return isOn ? Math.min(load.rateAt(at), limit) : 0;
      },
    },
  };
}

/** Consumption withheld from the beginning of a passage until a time within it. */
function withheldBy(load: Load, { at: from, isOn, limit, ends }: Passage, to: number): number {
  if (!isOn) return load.drawnAt(to) - load.drawnAt(from);
  if (limit === Infinity) return 0;
  const excess = (start: number, end: number): number =>
    Math.max(0, load.drawnAt(end) - load.drawnAt(start) - (limit * (end - start)) / hourSec);
  const firstEnd = (Math.floor(from / slotSec) + 1) * slotSec;
  const endOf = (index: number): number => firstEnd + index * slotSec;
  const whole = Math.max(0, Math.floor((to - firstEnd) / slotSec) + 1);
  for (let at = ends.length; at < whole; at++)
    ends.push((ends[at - 1] ?? 0) + excess(at === 0 ? from : endOf(at - 1), endOf(at)));
  const [start, before] = whole === 0 ? [from, 0] : [endOf(whole - 1), ends[whole - 1] ?? 0];
  return before + excess(start, to);
}
