import type pg from "pg";
import type { Log, Stop } from "#core";
import { int4Array, int8Array } from "./arrays.ts";

/**
 * When each device was last heard of (`device_state.last_data_at`, `silent_at`). The two stand in the indexes of the
 * list, so an update of them costs as much as storing a reading: they follow within a second, once for all readings of
 * it, and never hold an acknowledgement up. What a kill forgets is put right at the next start from `device_latest`.
 */
export interface Heard {
  note(heard: ReadonlyMap<number, number>): void;
  /** Resolves when everything noted so far is written. */
  settle(): Promise<void>;
  readonly stop: Stop;
}

const pauseMs = 1_000;
const atOnce = 5_000;

export function createHeard(pool: pg.Pool, log: Log): Heard {
  let pending = new Map<number, number>();
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const write = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    running = running.then(async () => {
      const batch = [...pending].sort(([a], [b]) => a - b);
      pending = new Map();
      for (let from = 0; from < batch.length; from += atOnce)
        await update(pool, batch.slice(from, from + atOnce)).catch((error: unknown) => {
          log.warn({ err: error }, "times of last data were not written; the next reading writes them");
        });
    });
    return running;
  };

  return {
    note(heard) {
      for (const [id, at] of heard) if (at > (pending.get(id) ?? 0)) pending.set(id, at);
      if (!isStopped && pending.size > 0) timer ??= setTimeout(() => void write(), pauseMs).unref();
    },
    settle: write,
    async stop() {
      isStopped = true;
      await write();
    },
  };
}

/** Locked in the order of ids, like everything that writes many devices. */
async function update(pool: pg.Pool, batch: readonly (readonly [number, number])[]): Promise<void> {
  if (batch.length === 0) return;
  await pool.query({
    name: "messages-heard",
    text: `with heard as (
        select s.device_id, t.at from device_state s join unnest($1::int4[], $2::int8[]) as t(id, at) on t.id = s.device_id
        where s.device_id = any($1::int4[]) and (s.last_data_at is null or s.last_data_at < t.at)
        order by s.device_id for no key update of s
      )
      update device_state s set last_data_at = heard.at, silent_at = heard.at + d.warning_report_period
      from heard join device d on d.id = heard.device_id where s.device_id = heard.device_id`,
    values: [int4Array(batch.map(([id]) => id)), int8Array(batch.map(([, at]) => at))],
  });
}

/** Puts right what a kill has left behind: a few rows a device, once a start. */
export async function recallHeard(pool: pg.Pool): Promise<number> {
  const { rowCount } = await pool.query(
    `with heard as (
        select device_id, max(case when source = 3 then least(ts, received_at) else received_at end) as at
        from (
          select device_id, ts, received_at, source from device_latest
          union all
          select device_id, (o ->> 'ts')::int8, (o ->> 'received_at')::int8, (o ->> 'source')::int2
          from device_latest cross join lateral jsonb_path_query(by_field, '$.*') o where by_field is not null
        ) origins
        where source <= 3 group by device_id
      )
      update device_state s set last_data_at = heard.at, silent_at = heard.at + d.warning_report_period
      from heard join device d on d.id = heard.device_id
      where s.device_id = heard.device_id and coalesce(s.last_data_at, 0) < heard.at`,
  );
  return rowCount ?? 0;
}
