import type { Span } from "#ui/chart";
import type { Range } from "#ui/dateRange";

/** State of a data page in the query part of its address. */
export interface DataAddress {
  readonly tab: string | null;
  readonly range: Range | null;
  readonly profile: 30 | 60;
  readonly type: number | null;
  readonly zoom: Span | null;
  readonly energy: "a" | "r" | "ar";
  readonly scale: number;
  /** The chart draws counter values instead of their growth. */
  readonly counters: boolean;
  readonly delta: boolean;
  readonly losses: boolean;
  readonly transformer: boolean;
  readonly desc: boolean;
}

/** The query part of the address as the router has parsed it. */
export type DataSearch = Readonly<Record<string, unknown>>;

const numberOf = (value: unknown): number | null => {
  const number =
    typeof value === "number"
      ? value
      : typeof value === "string" && value !== ""
        ? Number(value)
        : Number.NaN;
  return Number.isFinite(number) ? number : null;
};
const spanOf = (text: unknown): readonly [number, number] | null => {
  // The first second of 1970 is negative east of Greenwich.
  const [, first, last] = typeof text === "string" ? (/^(-?\d{1,12})-(-?\d{1,12})$/.exec(text) ?? []) : [];
  const [from, to] = [Number(first), Number(last)];
  return from < to ? [from, to] : null;
};
const flag = (value: unknown) => value === 1 || value === "1" || value === true;

/**
 * The profile period of the page is hourly unless the selector, which starts at 30, or the address differs.
 */
export function readAddress(search: DataSearch): DataAddress {
  const [start, end] = [numberOf(search["from"]), numberOf(search["to"])];
  const zoom = spanOf(search["zoom"]);
  const energy = search["ra"];
  return {
    tab: typeof search["tab"] === "string" ? search["tab"] : null,
    range: start !== null && end !== null && start < end ? { start, end } : null,
    profile: numberOf(search["profile"]) === 60 ? 60 : 30,
    type: numberOf(search["type"]),
    zoom: zoom ? { from: zoom[0], to: zoom[1] } : null,
    energy: energy === "a" || energy === "r" ? energy : "ar",
    scale: numberOf(search["scale"]) ?? 0,
    counters: flag(search["counters"]),
    delta: flag(search["delta"]),
    losses: flag(search["losses"]),
    transformer: flag(search["kkt"]),
    desc: search["sort"] !== "datetime",
  };
}

/** The address after a change; default values are omitted. */
export function writeAddress(search: DataSearch, change: Partial<DataAddress>): Record<string, unknown> {
  const next = { ...readAddress(search), ...change };
  const own = [
    "tab",
    "from",
    "to",
    "profile",
    "type",
    "zoom",
    "ra",
    "scale",
    "counters",
    "delta",
    "losses",
    "kkt",
    "sort",
  ];
  const written: Record<string, unknown> = Object.fromEntries(
    Object.entries(search).filter(([name]) => !own.includes(name)),
  );
  const put = (name: string, value: string | number | null, isUsual: boolean) => {
    if (value !== null && !isUsual) written[name] = value;
  };
  put("tab", next.tab, false);
  put("from", next.range?.start ?? null, false);
  put("to", next.range?.end ?? null, false);
  put("profile", next.profile, next.profile === 30);
  put("type", next.type, false);
  put(
    "zoom",
    next.zoom ? `${String(Math.floor(next.zoom.from))}-${String(Math.ceil(next.zoom.to))}` : null,
    false,
  );
  put("ra", next.energy, next.energy === "ar");
  put("scale", next.scale, next.scale === 0);
  put("counters", 1, !next.counters);
  put("delta", 1, !next.delta);
  put("losses", 1, !next.losses);
  put("kkt", 1, !next.transformer);
  put("sort", "datetime", next.desc);
  return written;
}
