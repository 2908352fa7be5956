import { leastFreeBytes, type Health } from "@metrum/contract/platform";
import type { StatusKind } from "#ui/status";

/** A line of the health page: key of its text, value, and whether it is in order. */
export interface Fact {
  readonly id: string;
  readonly value: string;
  /** Null: informative, neither good nor bad. */
  readonly kind: StatusKind | null;
}

interface Words {
  readonly number: (value: number, decimals?: number) => string;
  readonly age: (seconds: number) => string;
  readonly bytes: (value: number) => string;
  readonly never: string;
}

const backupDays = 7;
/** Devices wait longer than this only if no process polls them. */
const pollsLateSec = 300;
/** New readings wait a minute for more of them; longer than this only if no worker computes. */
const recomputeLateSec = 600;
/** Heartbeat interval of a process: 15 s. */
export const silentSec = 45;

/** The lines of the health page by group, from the measurements of the server at `nowSec`. */
export function factsOf(health: Health, nowSec: number, words: Words) {
  const { number, age, bytes, never } = words;
  const since = (at: number | null) => (at === null ? never : age(Math.max(0, nowSec - at)));
  const count = (value: number) => number(value, 0);
  const free = health.disk_free_bytes;
  const isLate = (health.polls_oldest_sec ?? 0) > pollsLateSec;
  const backupAge = health.last_backup_at === null ? Infinity : nowSec - health.last_backup_at;
  const queues: readonly Fact[] = [
    { id: "pollsDue", value: count(health.polls_due + health.polls_waiting), kind: isLate ? "warn" : "ok" },
    {
      id: "pollsOldest",
      value: health.polls_oldest_sec === null ? "—" : age(Math.max(0, health.polls_oldest_sec)),
      kind: null,
    },
    { id: "lettersWaiting", value: count(health.letters_waiting), kind: null },
    {
      id: "lettersParked",
      value: count(health.letters_parked),
      kind: health.letters_parked > 0 ? "warn" : "ok",
    },
    { id: "derive", value: count(health.derive_waiting), kind: null },
    {
      id: "recompute",
      value: `${count(health.recompute_waiting)}${
        health.recompute_oldest_sec === null ? "" : `, ${age(health.recompute_oldest_sec)}`
      }`,
      kind: (health.recompute_oldest_sec ?? 0) > recomputeLateSec ? "warn" : "ok",
    },
    {
      id: "recomputeParked",
      value: count(health.recompute_parked),
      kind: health.recompute_parked > 0 ? "warn" : "ok",
    },
    { id: "lastReading", value: since(health.last_reading_at), kind: null },
  ];
  const store: readonly Fact[] = [
    { id: "database", value: bytes(health.database_bytes), kind: null },
    {
      id: "disk",
      value:
        free === null || health.disk_total_bytes === null
          ? "—"
          : `${bytes(free)} / ${bytes(health.disk_total_bytes)}`,
      kind: free === null ? "silent" : free < leastFreeBytes ? "alarm" : "ok",
    },
    {
      id: "backup",
      value: since(health.last_backup_at),
      kind: backupAge > backupDays * 86_400 ? "warn" : "ok",
    },
  ];
  const versions: readonly Fact[] = [
    { id: "version", value: `${health.version}, ${health.build_type}`, kind: null },
    { id: "node", value: health.node, kind: null },
    { id: "postgres", value: health.postgres, kind: null },
    { id: "uptime", value: age(health.uptime_sec), kind: null },
    { id: "devices", value: count(health.devices), kind: null },
  ];
  return { queues, store, versions };
}

/** Bytes in the largest unit that leaves at least one: "412 MiB". */
export function bytesText(value: number, number: Words["number"]): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"] as const;
  const step = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, value)) / 10));
  const amount = value / 1024 ** step;
  return `${number(amount, amount < 10 && step > 0 ? 1 : 0)} ${units[step] ?? ""}`;
}
