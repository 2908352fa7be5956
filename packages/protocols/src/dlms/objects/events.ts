import type { JournalName } from "@metrum/vocabulary";
import type { Conversation } from "../../core/conversation.ts";
import { entryAccess, rangeAccess } from "../apdu/selectiveAccess.ts";
import { ProtocolError } from "../../core/errors.ts";
import type { Session } from "../session/session.ts";
import type { CosemAttribute, DlmsData } from "../types.ts";
import { clockAttribute, instantData, instantOf, type ClockOptions } from "./clock.ts";
import { isClock, readCaptures } from "./profile.ts";
import { integerOf, itemsOf, numberOf } from "./values.ts";

/** One entry of a meter's journal. */
export interface MeterEvent {
  /** Logical name of the journal. */
  readonly journal: string;
  /** Epoch seconds UTC; null when the meter's clock was not set. */
  readonly at: number | null;
  /** Number in the table of that journal. */
  readonly code: number;
  /** Further captured values of the journal. */
  readonly details: readonly DlmsData[];
}

/** Journals of a family. */
export interface JournalTable {
  readonly obis: string;
  readonly name: JournalName;
  /** Entries per request by position, for journals without range access; absent: requested by time. */
  readonly byEntry?: number;
}

const buffer = (obis: string, attribute: number): CosemAttribute => ({ classId: 7, obis, attribute });
const defaultAtOnce = 50;

/**
 * Entries of a journal, oldest first; `to` exclusive, epoch seconds UTC. Several events may have one second.
 * Source: Blue Book 4.3.6 (profile generic), 6.2.x (event logs 0.0.99.98.e). Layout: a column of the clock
 * (class 8 attribute 2) and one of the code: the first column of class 1 that is a number.
 * Errors: ProtocolError "unexpected" when clock or code are not among the columns; "unsupported", "refused"
 * as `Session.value`.
 */
export function* readEvents(
  session: Session,
  of: { journal: JournalTable; clock: ClockOptions; from: number; to: number },
): Conversation<MeterEvent[]> {
  const { journal, clock } = of;
  const captures = yield* readCaptures(session, journal.obis);
  const clockAt = captures.findIndex(isClock);
  const codeAt = captures.findIndex(({ classId, attribute }) => classId === 1 && attribute === 2);
  if (clockAt < 0 || codeAt < 0)
    throw new ProtocolError("unexpected", `${journal.obis} keeps no clock or no code of events`);
  const rows =
    journal.byEntry === undefined ? yield* rowsByTime(session, of) : yield* rowsByEntry(session, journal);
  return rows
    .map((row): MeterEvent => {
      const cells = itemsOf(row, "event");
      const details = cells.filter((_, at) => at !== clockAt && at !== codeAt);
      const code = numberOf(cells[codeAt]);
      if (code === null) throw new ProtocolError("unexpected", "an event without a number");
      return { journal: journal.obis, at: instantOf(cells[clockAt], clock), code, details };
    })
    .filter(({ at }) => at === null || (at >= of.from && at < of.to));
}

function* rowsByTime(
  session: Session,
  { journal, clock, from, to }: { journal: JournalTable; clock: ClockOptions; from: number; to: number },
): Conversation<readonly DlmsData[]> {
  const access = rangeAccess({
    restricting: { ...clockAttribute(2), index: 0 },
    from: instantData(from, clock),
    to: instantData(to - 1, clock),
    columns: [],
  });
  return itemsOf(yield* session.value(buffer(journal.obis, 2), { access }), "journal");
}

function* rowsByEntry(
  session: Session,
  { obis, byEntry = defaultAtOnce }: JournalTable,
): Conversation<DlmsData[]> {
  const inUse = integerOf(yield* session.value(buffer(obis, 7)), "entries in use");
  const rows: DlmsData[] = [];
  for (let first = 1; first <= inUse; first += byEntry) {
    const last = Math.min(inUse, first + byEntry - 1);
    const access = entryAccess({ fromEntry: first, toEntry: last, fromColumn: 1, toColumn: 0 });
    const page = yield* session.value(buffer(obis, 2), { access, rows: { first, last } });
    rows.push(...itemsOf(page, "journal"));
  }
  return rows;
}
