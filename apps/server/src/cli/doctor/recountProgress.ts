import type { Clock } from "#core";
import type { Progress } from "./recountAll.ts";

interface Output {
  readonly isTTY?: boolean | undefined;
  readonly write: (text: string) => unknown;
}

const [quickMs, slowMs] = [500, 60_000];

/** Writes how far a recount is: over one line of a terminal, else a line a minute. */
export function progressOn(
  output: Output,
  { monotonicMs }: Pick<Clock, "monotonicMs">,
): { readonly note: (progress: Progress) => void; readonly clear: () => void } {
  const isTerminal = output.isTTY === true;
  const startMs = monotonicMs();
  const spent = new Map<string, { readonly sinceMs: number; ms: number; done: number }>();
  let writtenMs = startMs;
  return {
    note(progress) {
      const nowMs = monotonicMs();
      const own = spent.get(progress.of) ?? { sinceMs: nowMs, ms: 0, done: 0 };
      spent.set(progress.of, own);
      own.ms = nowMs - own.sinceMs;
      own.done = progress.done;
      if (nowMs - writtenMs < (isTerminal ? quickMs : slowMs)) return;
      writtenMs = nowMs;
      const text = textOf(progress, leftMs(progress, spent));
      output.write(isTerminal ? `\r\u001B[K${text}` : `${text}\n`);
    },
    clear() {
      if (isTerminal) output.write("\r\u001B[K");
    },
  };
}

/** Devices and points take their own time each; what has not begun is taken for what has. */
function leftMs(
  { totals }: Progress,
  spent: ReadonlyMap<string, { readonly ms: number; readonly done: number }>,
): number {
  const all = [...spent.values()];
  const sum = (of: "ms" | "done"): number => all.reduce((total, each) => total + each[of], 0);
  const usual = sum("ms") / Math.max(1, sum("done"));
  return totals.reduce((left, { of, total }) => {
    const own = spent.get(of);
    const each = own && own.done > 0 ? own.ms / own.done : usual;
    return left + (total - (own?.done ?? 0)) * each;
  }, 0);
}

function textOf({ of, done, totals, rows }: Progress, left: number): string {
  const total = totals.find((each) => each.of === of)?.total ?? done;
  const minutes = left / 60_000;
  const time = minutes < 1 ? "less than a minute" : `${String(Math.ceil(minutes))} min`;
  return `${of}: ${numberText(done)} of ${numberText(total)}, ${numberText(rows)} rows, ${time} left in all`;
}

export const numberText = (value: number): string => Math.round(value).toLocaleString("en-US");
