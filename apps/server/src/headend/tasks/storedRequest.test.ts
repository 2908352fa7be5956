import { Problem } from "@metrum/contract/core";
import { archiveTypeIds, archiveTypes, archiveWireType } from "@metrum/vocabulary";
import { describe, expect, test } from "vitest";
import { isSameRequest, storedReadOf, storedRequestOf } from "./storedRequest.ts";

const at = (text: string) => Date.parse(`${text}Z`) / 1000;
const zone = "Asia/Ulaanbaatar";
const mercury = 120;
const now = at("2026-11-24T00:00:00");
const daySec = 86_400;

/** The fields at fault in a request. */
function faultsOf(management: Record<string, unknown>): Record<string, unknown> {
  try {
    storedRequestOf(management);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return Object.fromEntries(
      Object.entries(error.attributes).map(([field, [fault]]) => [
        field.replace("management.", ""),
        typeof fault === "string" ? fault : fault?.fault,
      ]),
    );
  }
  return {};
}

describe("the period of a request", () => {
  test("REQ-005 REQ-007 REQ-008 X-52: missing seconds, minutes and hours of a time are zero", () => {
    const hour = { from: at("2026-11-20T13:00:00"), to: at("2026-11-20T14:00:00") };
    for (const archiveTime of ["2026-11-20 13:00:00", "2026-11-20 13:00", "2026-11-20 13"])
      expect(storedRequestOf({ type: 0, archive: 100, archiveTime })).toEqual({ msgType: 100, local: hour });
    expect(storedRequestOf({ type: 0, archive: 100, archiveTime: "2026-11-20 00:00" })?.local?.from).toBe(
      at("2026-11-20T00:00:00"),
    );
  });

  test("REQ-006 REQ-017: a daily and a monthly archive cover their period, a profile its day", () => {
    const day = { from: at("2026-11-20T00:00:00"), to: at("2026-11-21T00:00:00") };
    expect(storedRequestOf({ type: 1, archive: 101, archiveTime: "2026-11-20 00:00:00" })).toEqual({
      msgType: 101,
      local: day,
    });
    expect(storedRequestOf({ type: 2, archive: 103, archiveTime: "2026-02-10 00:00:00" })?.local).toEqual({
      from: at("2026-02-01T00:00:00"),
      to: at("2026-03-01T00:00:00"),
    });
    expect(storedRequestOf({ archive_profile: "2026-11-20 00:00:00" })).toEqual({ msgType: 5, local: day });
  });

  test("REQ-010: every archive has a title, its longest period, and a type on the wire", () => {
    expect(archiveTypeIds).toEqual([...Array.from({ length: 22 }, (_, n) => 100 + n), 125]);
    for (const id of archiveTypeIds) {
      const { title, maxDays } = archiveTypes[id];
      expect(Object.values(title).every((text) => text !== "")).toBe(true);
      const request = { type: archiveWireType(id), archive: id, archiveTime: "2020-01-01 00:00:00" };
      const last = new Date((at("2020-01-01T00:00:00") + (maxDays - 1) * daySec) * 1000);
      const longest = { ...request, archiveTimeEnd: last.toISOString().slice(0, 10) };
      expect(storedRequestOf(longest)?.msgType).toBe(id);
      last.setUTCDate(last.getUTCDate() + 1);
      expect(faultsOf({ ...request, archiveTimeEnd: last.toISOString().slice(0, 10) })).toEqual({
        archiveTimeEnd: "period_long",
      });
    }
  });

  test("quarters, halves and years are those of the calendar, weeks begin on Monday", () => {
    const from = (type: number) =>
      storedRequestOf({ type, archiveTime: "2026-11-25 10:00:00" })?.local?.from ?? 0;
    expect(
      [102, 104, 105, 106].map((type) => new Date(from(type) * 1000).toISOString().slice(0, 10)),
    ).toEqual(["2026-11-23", "2026-10-01", "2026-07-01", "2026-01-01"]);
  });

  test("the faulty field is named", () => {
    const time = "2026-11-20 00:00:00";
    expect(faultsOf({ archiveTime: time })).toEqual({ type: "required" });
    expect(faultsOf({ type: 3, archiveTime: time })).toEqual({ type: "wrong" });
    expect(faultsOf({ type: 1, archive: 103, archiveTime: time })).toEqual({ type: "wrong" });
    expect(faultsOf({ type: 1, archive: 101 })).toEqual({ archiveTime: "required" });
    for (const wrong of ["2026-02-30", "20.11.2026", "2026-11-20 24:00", "1969-12-31", 5])
      expect(faultsOf({ type: 1, archiveTime: wrong })).toEqual({ archiveTime: "format" });
    expect(faultsOf({ type: 1, archiveTime: time, archiveTimeEnd: "2026-11-19" })).toEqual({
      archiveTimeEnd: "before_start",
    });
    expect(faultsOf({ archive_profile: "yesterday" })).toEqual({ archive_profile: "format" });
    expect(faultsOf({ event_log: true })).toEqual({ event_index: "required" });
    expect(faultsOf({ event_index: 1 })).toEqual({ event_log: "required" });
    expect(faultsOf({ archive_profile: time, now_value: 1 })).toEqual({ now_value: "unknown_field" });
  });

  test("requests of current values are none of stored data", () => {
    expect(storedRequestOf({ now_value: 1 })).toBeUndefined();
  });
});

describe("what a meter can answer", () => {
  const profile = (date: string) => storedRequestOf({ archive_profile: `${date} 00:00:00` });
  const read = (request: ReturnType<typeof storedRequestOf>, modelId = mercury, of = zone) => {
    if (!request) throw new Error("no request");
    return storedReadOf({ modelId, zone: of }, request, now);
  };

  test("a day is that of the zone of the device, with 23 or 25 hours when the clocks change", () => {
    const hours = (date: string) => {
      const found = read(profile(date), mercury, "Europe/Berlin");
      return "fault" in found ? found : (found.to - found.from) / 3600;
    };
    const day = read(profile("2026-11-20"));
    expect(day).toMatchObject({ from: at("2026-11-19T16:00:00"), to: at("2026-11-20T16:00:00") });
    expect([hours("2026-10-24"), hours("2026-10-25")]).toEqual([24, 25]);
  });

  test("a period that is partly beyond the memory of the meter is read as far as it is kept, and up to now", () => {
    const months = storedRequestOf({
      type: 2,
      archiveTime: "2024-01-01 00:00:00",
      archiveTimeEnd: "2026-12-31",
    });
    expect(read(months)).toMatchObject({ from: now - 365 * daySec, to: now });
  });

  test("refused with the field: no such archive, erased, in the future, a model that sends by itself", () => {
    const weekly = storedRequestOf({ type: 102, archiveTime: "2026-11-20 00:00:00" });
    expect(read(weekly)).toMatchObject({ field: "type", fault: { fault: "archive_not_kept" } });
    const old = storedRequestOf({ type: 1, archiveTime: "2026-11-01 00:00:00" });
    expect(read(old)).toMatchObject({
      field: "archiveTime",
      fault: { fault: "erased", params: { days: 2 } },
    });
    const later = storedRequestOf({ type: 1, archiveTime: "2026-11-25 00:00:00" });
    expect(read(later)).toMatchObject({ field: "archiveTime", fault: { fault: "in_future" } });
    const journal = storedRequestOf({ event_log: true, event_index: 1 });
    expect(read(journal)).toMatchObject({ field: "event_index", fault: { fault: "journal_not_kept" } });
    expect(read(profile("2026-11-20"), 9_999)).toMatchObject({ fault: { fault: "not_polled" } });
  });
});

test("two requests are the same if they are for the same archive and period, whatever their spelling", () => {
  const one = storedRequestOf({ type: 1, archive: 101, archiveTime: "2026-11-20 00:00:00" });
  const other = storedRequestOf({ archive: 101, archiveTime: "2026-11-20" });
  if (!one || !other) throw new Error("no request");
  expect(isSameRequest(one, other)).toBe(true);
});
