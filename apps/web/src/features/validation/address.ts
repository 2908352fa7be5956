import { validationKinds, type validation, type ValidationKind } from "@metrum/contract/accounting";
import type { InputOf } from "@metrum/contract/core";

type Search = Readonly<Record<string, unknown>>;
type Body = NonNullable<InputOf<typeof validation.summary>["body"]>;

export const windows = ["around", "day", "week", "month"] as const;
export type ChartWindow = (typeof windows)[number];
export const periods = [7, 30, 90] as const;

/** What the address says; invalid values are ignored. */
export interface Address {
  readonly text: string;
  readonly state: "open" | "closed";
  readonly kind: ValidationKind | undefined;
  readonly days: number | undefined;
  /** `2026-10`. */
  readonly month: string | undefined;
  readonly sort: "asc" | "desc";
  readonly branch: number | undefined;
  readonly current: number | undefined;
  readonly window: ChartWindow;
}

const among = <Value extends string>(all: readonly Value[], value: unknown): Value | undefined =>
  all.find((each) => each === value);

function idOf(value: unknown): number | undefined {
  const id = Number(value);
  return Number.isInteger(id) && id > 0 && id < 2 ** 31 ? id : undefined;
}

const monthOf = (value: unknown): string | undefined =>
  typeof value === "string" && /^20\d\d-(0[1-9]|1[0-2])$/.test(value) ? value : undefined;

export function readAddress(search: Search): Address {
  const text = search["q"];
  return {
    text: typeof text === "string" ? text : typeof text === "number" ? String(text) : "",
    state: search["state"] === "closed" ? "closed" : "open",
    kind: among(validationKinds, search["rule"]),
    days: periods.find((each) => each === Number(search["days"])),
    month: monthOf(search["month"]),
    sort: search["sort"] === "asc" ? "asc" : "desc",
    branch: idOf(search["branch"]),
    current: idOf(search["id"]),
    window: among(windows, search["window"]) ?? "around",
  };
}

const usual: Partial<Address> = { state: "open", sort: "desc", window: "around", text: "" };
const names = { text: "q", kind: "rule", current: "id" } as const;

/** The search of the address; usual values are left out. */
export function writeAddress(address: Partial<Address>): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(address).flatMap(([key, value]) =>
      value === undefined || value === usual[key as keyof Address]
        ? []
        : [[key in names ? names[key as keyof typeof names] : key, value]],
    ),
  );
}

/** The filter of the calls; `now` is rounded to the hour, so that an answer is taken from the cache. */
export function filterOf({ text, state, kind, days, month, branch }: Address, now: number): Body {
  const since = Math.floor(now / 3600) * 3600 - (days ?? 0) * 86_400;
  return {
    state,
    ...(text === "" ? {} : { search_string: text }),
    ...(kind === undefined ? {} : { kind }),
    ...(days === undefined ? {} : { startDate: since }),
    ...(month === undefined ? {} : { month }),
    ...(branch === undefined ? {} : { object_ids: [branch] }),
  };
}
