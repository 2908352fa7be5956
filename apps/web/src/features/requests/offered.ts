import type { DeviceModel } from "@metrum/contract/metering";

/** The part of a device that its requests need. */
export interface RequestedDevice {
  readonly id: number;
  readonly name: string;
  readonly timezone_name: string;
  readonly model: Pick<DeviceModel, "options">;
}

/** Requests that need no input. */
export type SimpleRequest = "now_value" | "tariff" | "read_info";
export type RequestKind = SimpleRequest | "archive" | "archive_profile" | "event_log";

/** Whether the model of a device has a request. */
export const canRequest = ({ model }: Pick<RequestedDevice, "model">, kind: RequestKind): boolean =>
  model.options.control[kind]?.active === true &&
  // Without a journal nothing can be chosen.
  (kind !== "event_log" || journalsOf({ model }).length > 0);

export interface OfferedJournal {
  readonly event_index: number;
  readonly title: string;
  readonly title_en: string;
}

/** The journals of the model of a device. */
export const journalsOf = ({ model }: Pick<RequestedDevice, "model">): readonly OfferedJournal[] =>
  listOf(model.options.control["event_log"]?.settings?.["journals"]).flatMap((each) => {
    const { event_index, title, title_en } = each;
    return typeof event_index === "number" && typeof title === "string" && typeof title_en === "string"
      ? [{ event_index, title, title_en }]
      : [];
  });

export interface OfferedArchive {
  readonly id: number;
  /** How far back the meter keeps it; null: unknown. */
  readonly days: number | null;
}

/** The archives that the model of a device names. */
export const archivesOf = ({ model }: Pick<RequestedDevice, "model">): readonly OfferedArchive[] =>
  listOf(model.options.control["archive"]?.settings?.["types"]).flatMap(({ id, depth_days: days }) =>
    typeof id === "number" ? [{ id, days: typeof days === "number" ? days : null }] : [],
  );

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value)
    ? value.flatMap((each: unknown) => (typeof each === "object" && each !== null ? [{ ...each }] : []))
    : [];
}
