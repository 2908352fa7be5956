import { readdirSync, readFileSync } from "node:fs";

/** Ticks of /proc per second; 100 on all common Linux systems. */
const ticksPerSec = 100;

/** Resource usage of a process and its descendants. */
export interface Use {
  /** Seconds of processor time since the start of the measurement. */
  readonly cpuSec: number;
  readonly memoryMb: number;
}

interface Stat {
  readonly parent: number;
  readonly ticks: number;
}

/**
 * Sums the usage of a process tree at each call; processes that ended in between lose their usage since the
 * last call. Memory is the proportional share (PSS), so that shared pages of PostgreSQL count once. Linux
 * only.
 */
export function meterProcesses(root: () => number | undefined): () => Use {
  const seen = new Map<number, number>();
  let ticks = 0;
  let isFirst = true;
  return () => {
    const pid = root();
    const all = stats();
    let memoryKb = 0;
    for (const each of pid === undefined ? [] : [pid, ...below(pid, all)]) {
      const now = all.get(each)?.ticks ?? 0;
      ticks += isFirst ? 0 : Math.max(0, now - (seen.get(each) ?? 0));
      seen.set(each, now);
      memoryKb += pssOf(each);
    }
    isFirst = false;
    return { cpuSec: ticks / ticksPerSec, memoryMb: memoryKb / 1024 };
  };
}

function stats(): Map<number, Stat> {
  const all = new Map<number, Stat>();
  for (const name of readdirSync("/proc").filter((each) => /^\d+$/.test(each))) {
    const text = readOr(`/proc/${name}/stat`);
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    if (text !== "")
      all.set(Number(name), { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) });
  }
  return all;
}

function below(pid: number, all: ReadonlyMap<number, Stat>): number[] {
  const children = [...all].flatMap(([each, { parent }]) => (parent === pid ? [each] : []));
  return children.flatMap((each) => [each, ...below(each, all)]);
}

const pssOf = (pid: number): number =>
  Number(/^Pss:\s+(\d+)/m.exec(readOr(`/proc/${String(pid)}/smaps_rollup`))?.[1] ?? 0);

/** Empty for a process that has ended meanwhile. */
function readOr(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
