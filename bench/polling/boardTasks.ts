import { setTimeout as sleep } from "node:timers/promises";
import { pollResults, tasks, taskStates } from "@metrum/contract/headend";
import type { Database } from "../../apps/server/src/core/index.ts";
import type { Ask, Registered } from "./boardVerdict.ts";
import type { Witness } from "./boardWitness.ts";
import { atMost, reported, type Figure } from "../report.ts";

const perTask = 9;
const everyMs = 2_000;
const finalWithinMs = 300_000;
const final: readonly number[] = Object.values(taskStates).flatMap((each) => (each.isFinal ? [each.id] : []));

/** Requests each of the devices without a schedule once, ten in a task with a silent one. */
export async function requestAll(ask: Ask, devices: readonly Registered[]): Promise<number> {
  const idsOf = (fate: string) => devices.flatMap(({ id, planned }) => (planned.fate === fate ? [id] : []));
  const [asked, silent] = [idsOf("asked"), idsOf("silent")];
  let made = 0;
  for (let at = 0; at < asked.length; at += perTask) {
    const one = silent[made % Math.max(1, silent.length)];
    const device_ids = [...asked.slice(at, at + perTask), ...(one === undefined ? [] : [one])];
    await ask(tasks.create, { command_type: "poll", title: `Request ${String(made)}`, device_ids });
    made += 1;
    await sleep(everyMs);
  }
  return made;
}

/** Waits until no item is open, or far too long. */
export async function untilEnded({ pool }: Database): Promise<void> {
  const until = Date.now() + finalWithinMs;
  while (Date.now() < until) {
    const { rows } = await pool.query("select from device_task_item where not status_id = any($1) limit 1", [
      final,
    ]);
    if (rows.length === 0) return;
    await sleep(500);
  }
}

interface Item {
  readonly device_id: number;
  readonly status_id: number;
  readonly result: number | null;
  readonly ended_at: number | null;
}

/** What became of the items, and whether the simulator was polled again for one that had ended. */
export async function taskFigures(
  { pool }: Database,
  devices: readonly Registered[],
  witness: Witness,
  killsMs: readonly number[],
): Promise<Figure[]> {
  const { rows } = await pool.query<Item>(
    "select device_id, status_id, result, ended_at from device_task_item",
  );
  const { rows: open } = await pool.query("select from device_task where not status_id = any($1)", [final]);
  const known = new Map(devices.map((device) => [device.id, device.planned]));
  const polled = (id: number) => witness.deedsOf(known.get(id)?.deviceID ?? "").polledMs;
  const asked = rows.filter(({ device_id }) => known.get(device_id)?.fate === "asked");
  const done = asked.filter(({ status_id }) => status_id === taskStates.done.id);
  const away = asked.filter(
    (item) => item.result === pollResults.no_line.id && polled(item.device_id).length === 0,
  );
  const silent = rows.filter(({ device_id }) => known.get(device_id)?.fate === "silent");
  const again = asked.map((item) => repeatsOf(item, polled(item.device_id), killsMs));
  const sum = (of: "repeated" | "interrupted") => again.reduce((total, each) => total + each[of], 0);
  return [
    reported("task items", rows.length, ""),
    atMost(
      "  not in a final state",
      rows.filter(({ status_id }) => !final.includes(status_id)).length,
      "",
      0,
    ),
    atMost("  tasks not in a final state", open.length, "", 0),
    reported("  refused at once, as the modem was not connected", away.length, ""),
    atMost("  of other devices that answer, not done", asked.length - done.length - away.length, "", 0),
    atMost(
      "  items of silent devices, not failed",
      silent.filter(({ status_id }) => status_id !== taskStates.failed.id).length,
      "",
      0,
    ),
    atMost(
      "  done, but the device was never read",
      done.filter(({ device_id }) => polled(device_id).length === 0).length,
      "",
      0,
    ),
    reported("  read again, as a kill came before the end was stored", sum("interrupted"), ""),
    atMost("  read again after the end", sum("repeated"), "", 0),
  ];
}

/** Further polls of an item that no kill explains, or that came after its end (in whole seconds). */
function repeatsOf(
  { ended_at }: Item,
  polledMs: readonly number[],
  killsMs: readonly number[],
): { readonly repeated: number; readonly interrupted: number } {
  let [repeated, interrupted] = [0, 0];
  for (const [nth, ms] of polledMs.entries()) {
    const before = polledMs[nth - 1];
    if (before === undefined) continue;
    const wasKilled = killsMs.some((kill) => kill >= before && kill <= ms);
    if (wasKilled && (ended_at === null || ms < (ended_at + 1) * 1000)) interrupted += 1;
    else repeated += 1;
  }
  return { repeated, interrupted };
}
