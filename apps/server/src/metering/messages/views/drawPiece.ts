import type { PeriodSummary } from "@metrum/contract/metering";
import { resourceOfGroup, type FieldName, type Language } from "@metrum/vocabulary";
import { withBeside } from "./beside.ts";
import {
  counterRange,
  fallsOf,
  growth,
  isArchive,
  withoutRollover,
  type CounterRange,
  type LossStep,
  type SamplesOf,
} from "../growth/index.ts";
import type { DeviceMetadata } from "../rows/index.ts";
import { receivedWanted, type LoadedPiece } from "./loadPiece.ts";
import { withEnds } from "./merge.ts";
import { lossOf, ratioOf } from "./piece.ts";
import { percentOf, profileType, receivedOf, type Received } from "../received/index.ts";
import { tableOf, type Carried, type Table, type TableOptions } from "./table.ts";
import { totalsOf } from "./totals.ts";
import { trustedValues } from "../rows/index.ts";

/** What the computed columns of a request are. */
export interface WantedColumns {
  readonly with_transformation_ratio?: boolean | undefined;
  readonly with_loss_factor?: boolean | undefined;
  readonly "r/a"?: boolean | undefined;
  readonly is_energy?: boolean | undefined;
  readonly extra_fields?: readonly string[] | undefined;
}

export interface Drawing {
  readonly language: Language;
  readonly now: number;
  /** See `knowingLoads`. */
  readonly samplesOf: SamplesOf;
}

const storedStep = 1800;

/** The table of a piece, with the columns of the device beside it. */
export function drawTable(
  loaded: LoadedPiece,
  losses: readonly LossStep[],
  wanted: WantedColumns,
  drawing: Drawing,
): Table {
  const { piece, rows, before, beside } = loaded;
  const { msgType, profile_type } = loaded.wanted;
  const isHourly = msgType === profileType && profile_type === 60;
  const own = tableOf(rows, {
    ...measuredBy(loaded, drawing),
    language: drawing.language,
    msgType,
    before,
    carried: carriedTo(loaded, drawing),
    ratioOver: wanted.with_transformation_ratio === false ? undefined : ratioOf(piece),
    lossOver: wanted.with_loss_factor === true ? lossOf(losses) : undefined,
    intervalSec: msgType === profileType ? (isHourly ? 3600 : storedStep) : undefined,
    isEnergy: wanted.is_energy,
    withRA: wanted["r/a"] ?? false,
    extraFields: wanted.extra_fields ?? [],
  });
  if (!beside) return own;
  return withBeside(
    own,
    drawTable(beside.loaded, beside.losses, wanted, drawing),
    beside.loaded.piece.device.name,
  );
}

/** Share and gaps of the whole period; totals of the rows that were read. */
export function drawSummary(loaded: LoadedPiece, drawing: Drawing): PeriodSummary {
  const { piece, wanted, rows, truncated } = loaded;
  const { totals, tg_phi } = totalsOf(truncated ? rows : withEnds(rows, piece, wanted), {
    ...measuredBy(loaded, drawing),
    language: drawing.language,
    intervalHours: wanted.msgType === profileType ? intervalHours(wanted.profile_type) : undefined,
  });
  const [first] = rows;
  return {
    ...shown(receivedIn(loaded, drawing.now)),
    totals: [...totals],
    tg_phi,
    totals_from: truncated && first ? first.ts : null,
  };
}

const intervalHours = (profile: 30 | 60 | undefined): number => (profile === 60 ? 1 : storedStep / 3600);

function receivedIn({ piece, wanted, rows, truncated, received }: LoadedPiece, now: number): Received | null {
  const whole = receivedWanted(piece, wanted, now);
  const isProfile = wanted.msgType === profileType;
  const trusted = isProfile ? rows.filter((row) => trustedValues(row).some((value) => value !== null)) : [];
  // The preceding half-hours are not known here.
  const from = isProfile && truncated ? (rows[0]?.ts ?? whole.span.from) : whole.span.from;
  return receivedOf(received, {
    ...whole,
    span: { ...whole.span, from },
    rowsAt: trusted.map(({ ts }) => ts),
  });
}

function shown(
  judged: Received | null,
): Pick<PeriodSummary, "expected" | "received" | "received_share" | "gaps" | "gap_count"> {
  if (!judged) return { expected: null, received: null, received_share: null, gaps: [], gap_count: 0 };
  const { expected, received, gaps, gapCount } = judged;
  return {
    expected,
    received,
    received_share: percentOf(judged),
    gaps: [...gaps],
    gap_count: gapCount,
  };
}

/** How the values and counters of the device are to be read. */
function measuredBy(
  { piece, wanted, metadata, doubted }: LoadedPiece,
  { samplesOf }: Drawing,
): Pick<TableOptions, "resource" | "rangeOf" | "falls"> {
  const { device } = piece;
  const rangeOf = rangesOf(metadata, device.id, samplesOf);
  return {
    resource: resourceOfGroup(device.device_group_id).key,
    rangeOf,
    falls: isArchive(wanted.msgType) ? fallsOf(doubted, rangeOf) : new Map(),
  };
}

const rangesOf =
  (metadata: DeviceMetadata | undefined, deviceId: number, samplesOf: SamplesOf) =>
  (name: FieldName): CounterRange =>
    metadata ? counterRange(metadata, name, samplesOf(deviceId, name)) : withoutRollover;

/** Consumption of the device before, from its last row of the type to its closing reading. */
function carriedTo({ piece, last }: LoadedPiece, { samplesOf }: Drawing): ReadonlyMap<FieldName, Carried> {
  if (!piece.last) return new Map<FieldName, Carried>();
  const { tie, device } = piece.last;
  const end = tie.to ?? 0;
  const rangeOf = rangesOf(last.metadata, device.id, samplesOf);
  const carried = new Map<FieldName, Carried>();
  for (const [name, value] of last.values) {
    if (value.ts < tie.from) continue;
    const closing = tie.closing[name];
    const closed = closing === undefined ? undefined : { ts: end, value: closing };
    carried.set(name, { value: growth(value, closed, rangeOf(name)), from: value.ts, to: end });
  }
  return carried;
}
