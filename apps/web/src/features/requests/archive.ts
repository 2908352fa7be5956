import {
  archiveTypes,
  archiveWireType,
  hasTimeOfDay,
  isArchiveType,
  usualArchiveTypes,
  type ArchiveTypeId,
} from "@metrum/vocabulary";
import { dayText } from "#ui/dateField";
import { archivesOf, type OfferedArchive, type RequestedDevice } from "./offered.ts";
import type { DeviceRequest } from "./requests.ts";

export interface ArchiveValues {
  /** Message type of the archive, as text; empty: not chosen. */
  readonly type: string;
  /** "2026-12-31", or empty. */
  readonly date: string;
  /** HH:mm, or empty. */
  readonly time: string;
  /** The last date; empty: only the hour, day or month of the first. */
  readonly until: string;
}

export const noArchive: ArchiveValues = { type: "", date: "", time: "", until: "" };

/** Another archive clears what was chosen for the last one. */
export const withType = (type: string): ArchiveValues => ({ ...noArchive, type });

export const archiveId = ({ type }: Pick<ArchiveValues, "type">): ArchiveTypeId | undefined => {
  const id = Number(type);
  return type !== "" && isArchiveType(id) ? id : undefined;
};

/** The archives offered for a device: those of its model, else the usual ones. */
export function offeredArchives(
  device: Pick<RequestedDevice, "model">,
): readonly (OfferedArchive & { readonly id: ArchiveTypeId })[] {
  const own = archivesOf(device).flatMap((each) =>
    isArchiveType(each.id) ? [{ ...each, id: each.id }] : [],
  );
  return own.length > 0 ? own : usualArchiveTypes.map((id) => ({ id, days: null }));
}

/** Whether a time of day is chosen for an archive. */
export const asksTime = (values: Pick<ArchiveValues, "type">): boolean => {
  const id = archiveId(values);
  return id !== undefined && hasTimeOfDay(id);
};

/** The request of an archive, as the specification composes its time. */
export function archiveRequest(id: ArchiveTypeId, { date, time, until }: ArchiveValues): DeviceRequest {
  const type = archiveWireType(id);
  const archiveTime = !hasTimeOfDay(id)
    ? `${date} 00:00:00`
    : type === 0
      ? `${date} ${time === "" ? "00" : time}:00`
      : `${date} ${time === "" ? "00:00" : time}:00`;
  const { title } = archiveTypes[id];
  const period = [dayText(date), ...(time === "" ? [] : [time])].join(" ");
  const named = until === "" ? period : `${period} – ${dayText(until)}`;
  return {
    management: {
      type,
      archive: id,
      archiveTime,
      ...(until === "" ? {} : { archiveTimeEnd: `${until} ${hasTimeOfDay(id) ? "23:59:59" : "00:00:00"}` }),
    },
    title: `${title.ru}, ${named}`,
    title_en: `${title.en}, ${named}`,
  };
}
