import type { Database } from "../../apps/server/src/core/index.ts";
import type { Publisher } from "./killsPublisher.ts";

/** Model of the devices with numbered readings; the others are polled. */
export const numberedModel = 301;

export interface Verdict {
  readonly stored: number;
  readonly lost: number;
  readonly doubled: number;
  readonly altered: number;
  readonly aside: number;
  /** Devices whose read models (days, newest reading) contradict the messages. */
  readonly astray: number;
}

/** Compares acknowledged with stored readings. */
export async function verify(
  database: Database,
  publishers: readonly Publisher[],
  base: number,
): Promise<Verdict> {
  const { rows: stored } = await database.pool.query<{ eui: string; n: number; value: number | null }>(
    `select d."deviceID" as eui, (m.ts - $1)::int as n, m.v[array_position(s.fields, 'in1')] as value
      from message m join device d on d.id = m.device_id join field_set s on s.id = m.field_set_id where m.msg_type = 1 and d.model_id = $2`,
    [base, numberedModel],
  );
  const times = new Map<string, number>();
  for (const { eui, n } of stored)
    times.set(`${eui} ${String(n)}`, (times.get(`${eui} ${String(n)}`) ?? 0) + 1);
  const acknowledged = publishers.flatMap((each) =>
    [...each.acknowledged].flatMap(([eui, numbers]) => [...numbers].map((n) => `${eui} ${String(n)}`)),
  );
  const count = async (text: string): Promise<number> =>
    (await database.pool.query<{ n: number }>(text)).rows[0]?.n ?? Number.NaN;
  return {
    stored: stored.length,
    lost: acknowledged.filter((each) => !times.has(each)).length,
    doubled: [...times.values()].filter((each) => each > 1).length,
    altered:
      stored.filter(({ n, value }) => value !== n).length +
      (await count(`select count(*)::int as n from message_revision r join device d on d.id = r.device_id
          where r.msg_type = 1 and d.model_id = ${String(numberedModel)}`)),
    aside: await count(
      "select (select count(*) from reading_quarantine)::int + (select count(*) from uplink_aside)::int as n",
    ),
    astray: await count(
      `select count(*)::int as n from (
          select device_id, count(*) as n, max(ts) as last from message where msg_type = 1 group by device_id
        ) m
        left join (select device_id, sum(n) as n from reading_day where msg_type = 1 group by device_id) d using (device_id)
        left join (select device_id, ts from device_latest where msg_type = 1) l using (device_id)
        where d.n is distinct from m.n or l.ts is distinct from m.last`,
    ),
  };
}
