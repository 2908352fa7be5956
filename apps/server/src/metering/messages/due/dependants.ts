import type { Services, Stop } from "#core";
import type { DeviceMetadata } from "../rows/index.ts";
import { readingQueue } from "./dueStore.ts";
import { withLaterFalls } from "./laterFalls.ts";
import { dueKinds, type DueKind } from "./kinds.ts";
import type { Due } from "./queue.ts";
import { startWork, workOnce, type DueWork } from "./runner.ts";

/** A range of changed readings, both ends inclusive; `marks` tells whether it has been marked again since. */
export interface ChangedSpan {
  readonly from: number;
  readonly to: number;
  readonly marks: number;
}

/** Something that is computed of the readings of single devices. */
export interface Dependants {
  readonly kind: DueKind;
  /** For the log: "derived rows". */
  readonly what: string;
  /** Concurrent devices: a quarter of the pool of a worker at most. Default: 4. */
  readonly sideBySide?: number;
  /** Message types whose readings are announced; default: all. A mark is never missed without. */
  readonly types?: ReadonlySet<number>;
  /**
   * Recomputes what depends on a changed range, idempotently; several processes may do the same at once. When
   * `isOver()` it may stop and return the start of the rest; undefined when nothing remains.
   */
  readonly compute: (
    device: DeviceMetadata,
    span: ChangedSpan,
    isOver: () => boolean,
  ) => Promise<number | undefined>;
}

/** Worst delay of a mark that another process has set. */
const pauseMs = 2_000;

function workOf(services: Services, { kind, what, sideBySide = 4, types, compute }: Dependants): DueWork {
  const { metadata } = services.parts.readingStore;
  // Points keep the falls of their registers with their days.
  const reachOf = async (device: DeviceMetadata, span: ChangedSpan): Promise<ChangedSpan> =>
    kind === dueKinds.points ? span : withLaterFalls(services, device, span);
  return {
    what,
    queue: readingQueue(services.database.pool, kind),
    sideBySide,
    pauseMs,
    isHint: (spans) => types === undefined || spans.some(({ msgType }) => types.has(msgType)),
    async compute({ id, from_ts, to_ts, marks }: Due, isOver) {
      const device = (await metadata.of([id])).get(id);
      // The range of a deleted device is dropped.
      return device && compute(device, await reachOf(device, { from: from_ts, to: to_ts, marks }), isOver);
    },
  };
}

/** Recomputes marked ranges of one kind as long as the process has the role worker. */
export function startDependants(services: Services, dependants: Dependants): Stop {
  return startWork(services, workOf(services, dependants));
}

/** One run over the marked ranges; returns how many it took. */
export function runDependants(
  services: Services,
  dependants: Dependants,
  mayGoOn?: () => boolean,
): Promise<number> {
  return workOnce(services, workOf(services, dependants), mayGoOn);
}
