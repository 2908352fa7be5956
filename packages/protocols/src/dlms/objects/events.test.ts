import { describe, expect, it } from "vitest";
import { ended } from "../testing/testLink.ts";
import type { DlmsData } from "../types.ts";
import { readObjectList, readPushList } from "./association.ts";
import { instantData } from "./clock.ts";
import { readEvents, type JournalTable } from "./events.ts";
import {
  column,
  list,
  moment,
  nameOf,
  octets,
  structure,
  testSession,
  whole,
  type Kept,
} from "./testSession.ts";

const refused = (kind: string, message: string, detail?: number): unknown =>
  expect.objectContaining({ name: "ProtocolError", kind, message, detail });
const noon = Date.UTC(2026, 10, 20, 12) / 1000;

describe("a journal", () => {
  const obis = "0.0.99.98.2.255";
  const clock = { utcOffsetMinutes: 0 };
  const span = { from: noon, to: noon + 3600 };
  const entry = (minute: number, code: number): DlmsData =>
    structure(whole("uint8", 9), moment(`2026-11-20T12:${String(minute)}:00`), whole("uint16", code));
  const kept = (rows: Kept, more: Record<string, Kept> = {}): Record<string, Kept> => ({
    [`7 ${obis} 3`]: list(
      column(3, "1.0.1.8.0.255"),
      column(8, "0.0.1.0.0.255"),
      column(1, "0.0.96.11.2.255"),
    ),
    [`7 ${obis} 2`]: rows,
    ...more,
  });
  const read = (objects: Record<string, Kept>, byEntry?: number) => {
    const made = testSession(objects);
    const journal: JournalTable = { obis, name: "power", ...(byEntry === undefined ? {} : { byEntry }) };
    return { ...made, events: () => ended(readEvents(made.session, { journal, clock, ...span })) };
  };

  it("read by time has its events with their further values, and those without a time", () => {
    const early = structure(whole("uint8", 9), moment("2026-11-20T11:59:59"), whole("uint16", 1));
    const late = structure(whole("uint8", 9), moment("2026-11-20T13:00:00"), whole("uint16", 1));
    const unset = structure(whole("uint8", 9), moment("2026-11-20T12:30:00", 1), whole("uint16", 7));
    const { events, selections } = read(kept(list(early, entry(10, 5), unset, late)));

    expect(events()).toEqual([
      { journal: obis, at: noon + 600, code: 5, details: [whole("uint8", 9)] },
      { journal: obis, at: null, code: 7, details: [whole("uint8", 9)] },
    ]);
    expect(selections[0]?.access).toEqual({
      selector: 1,
      parameters: structure(
        column(8, "0.0.1.0.0.255"),
        instantData(noon, clock),
        instantData(noon + 3599, clock),
        list(),
      ),
    });
    const first = structure(whole("uint8", 9), moment("2026-11-20T12:00:00"), whole("uint16", 1));
    expect(read(kept(list(first))).events()).toHaveLength(1);
  });

  it.each([
    [5, 2, ["1-2", "3-4", "5-5"]],
    [4, 2, ["1-2", "3-4"]],
    [0, 2, []],
  ])("of %i entries is read by position, %i at once", (inUse, byEntry, pages) => {
    const rows: Kept = ({ rows: of }) =>
      list(...("first" in (of ?? {}) ? [entry(10, of && "first" in of ? of.first : 0)] : []));
    const { events, selections } = read(kept(rows, { [`7 ${obis} 7`]: whole("uint32", inUse) }), byEntry);

    expect(events()).toHaveLength(pages.length);
    expect(
      selections.map(({ rows: of }) => of && "first" in of && `${String(of.first)}-${String(of.last)}`),
    ).toEqual(pages);
    if (pages[0])
      expect(selections[0]?.access).toEqual({
        selector: 2,
        parameters: structure(whole("uint32", 1), whole("uint32", 2), whole("uint16", 1), whole("uint16", 0)),
      });
  });

  it.each<[string, Record<string, Kept>, string]>([
    [
      "no clock",
      { [`7 ${obis} 3`]: list(column(1, "0.0.96.11.2.255")) },
      `${obis} keeps no clock or no code of events`,
    ],
    [
      "no code",
      { [`7 ${obis} 3`]: list(column(8, "0.0.1.0.0.255")) },
      `${obis} keeps no clock or no code of events`,
    ],
    [
      "a name for its code",
      { [`7 ${obis} 3`]: list(column(8, "0.0.1.0.0.255"), column(1, "0.0.96.11.2.255", 1)) },
      `${obis} keeps no clock or no code of events`,
    ],
    [
      "a code that is none",
      {
        [`7 ${obis} 2`]: list(structure(whole("uint8", 9), moment("2026-11-20T12:10:00"), { type: "null" })),
      },
      "an event without a number",
    ],
    ["no entries", { [`7 ${obis} 2`]: octets(1) }, "journal is no list, but octets"],
    ["an entry that is none", { [`7 ${obis} 2`]: list(octets(1)) }, "event is no list, but octets"],
  ])("with %s is refused", (_, more, message) => {
    expect(read(kept(list(), more)).events).toThrow(refused("unexpected", message));
  });

  it("whose entries are not counted, or are none, is refused", () => {
    const more = { [`7 ${obis} 7`]: octets(1) };
    expect(read(kept(list(), more), 2).events).toThrow(
      refused("unexpected", "entries in use is no whole number, but octets"),
    );
    expect(read(kept(octets(1), { [`7 ${obis} 7`]: whole("uint8", 1) }), 2).events).toThrow(
      refused("unexpected", "journal is no list, but octets"),
    );
  });
});

describe("lists of objects", () => {
  it("have class, version and name of each, whatever its rights", () => {
    const object = structure(whole("uint16", 3), whole("uint8", 1), nameOf("1.0.1.8.0.255"), structure());
    const read = (data: DlmsData) =>
      ended(readObjectList(testSession({ "15 0.0.40.0.0.255 2": data }).session));

    expect(read(list(object))).toEqual([{ classId: 3, version: 1, obis: "1.0.1.8.0.255" }]);
    expect(() => read(octets(1))).toThrow(refused("unexpected", "object list is no list, but octets"));
    expect(() => read(list(octets(1)))).toThrow(refused("unexpected", "object is no list, but octets"));
    expect(() => read(list(structure()))).toThrow(
      refused("unexpected", "class is no whole number, but missing"),
    );
    expect(() => read(list(structure(whole("uint16", 3))))).toThrow(
      refused("unexpected", "version is no whole number, but missing"),
    );
  });

  it("that are pushed have the attributes in their order, by the usual name or another", () => {
    const pushed = list(column(3, "1.0.1.8.0.255"), column(8, "0.0.1.0.0.255"));
    const expected = [
      { classId: 3, obis: "1.0.1.8.0.255", attribute: 2, index: 0 },
      { classId: 8, obis: "0.0.1.0.0.255", attribute: 2, index: 0 },
    ];
    const { session } = testSession({ "40 0.0.25.9.0.255 2": pushed, "40 0.1.25.9.0.255 2": list() });

    expect(ended(readPushList(session))).toEqual(expected);
    expect(ended(readPushList(session, "0.1.25.9.0.255"))).toEqual([]);
    const broken = testSession({ "40 0.0.25.9.0.255 2": octets(1) });
    expect(() => ended(readPushList(broken.session))).toThrow(
      refused("unexpected", "push objects is no list, but octets"),
    );
  });
});
