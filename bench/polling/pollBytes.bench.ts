import { meterModels } from "@metrum/catalogue";
import { pollResults } from "@metrum/contract/headend";
import {
  logExchanges,
  packSteps,
  type ExchangeRow,
  type LoggedStep,
} from "../../apps/server/src/headend/exchanges/index.ts";
import { addDevices, startCluster } from "../cluster.ts";
import { atMost, reported, type Bench } from "../report.ts";

const polls = 20_000;
const atOnce = 500;
const fromMs = Date.UTC(2026, 9, 1);

/** The dialogues of the models' samples, in the form stored in the log. */
function dialogues(): LoggedStep[][] {
  return meterModels.flatMap(({ samples }) =>
    samples.flatMap((sample) =>
      "exchange" in sample && sample.exchange.length > 0
        ? [
            sample.exchange.map(([sent, received], n) => ({
              label: { code: "read_telegram", n },
              try: 1,
              tries: 3,
              at: n * 90 + 3,
              answered: n * 90 + 41,
              ended: n * 90 + 57 + (n % 7),
              sent: sent.replaceAll(" ", ""),
              received: received.replaceAll(" ", ""),
            })),
          ]
        : [],
    ),
  );
}

export const bench: Bench = {
  title: "bytes of a poll in the exchange log, keys included; a silent device that is asked every minute",
  async run() {
    const cluster = await startCluster();
    try {
      const { pool, system } = cluster.services.database;
      const devices = await addDevices(cluster.services, { count: 100, modelId: 101 });
      const steps = dialogues();
      const rowOf = (n: number): ExchangeRow => ({
        deviceId: devices[n % devices.length] ?? 0,
        startedMs: fromMs + n * 1000,
        receivedAt: fromMs / 1000 + n + 1,
        kind: "poll",
        result: "ok",
        tries: 1,
        durationMs: 400,
        line: "modem:1",
        readings: 3,
        message: "",
        taskId: null,
        steps: steps[n % steps.length] ?? [],
      });
      const began = performance.now();
      for (let at = 0; at < polls; at += atOnce)
        await logExchanges(
          system,
          Array.from({ length: atOnce }, (_, n) => rowOf(at + n)),
        );
      const ms = performance.now() - began;
      const bytes = async (sizes: string): Promise<number> => {
        const { rows } = await pool.query<{ n: number }>(`select (${sizes})::float8 as n`);
        return rows[0]?.n ?? 0;
      };
      const packed = await bytes("pg_total_relation_size('poll_log_2026_10')");
      await pool.query(`create table plain_log (like poll_log_2026_10 including indexes);
        alter table plain_log drop column repeats, drop column last_ms, drop column steps, add column steps jsonb`);
      for (let n = 0; n < polls; n += atOnce) {
        const rows = Array.from({ length: atOnce }, (_, at) => rowOf(n + at));
        await pool.query(
          `insert into plain_log select u.id, u.ms, u.at, 1, ${String(pollResults.ok.id)}, 1, 400, 'modem:1', 3, '', null, u.steps
            from unnest($1::int[], $2::bigint[], $3::bigint[], $4::jsonb[]) as u (id, ms, at, steps)`,
          [
            rows.map((row) => row.deviceId),
            rows.map((row) => row.startedMs),
            rows.map((row) => row.receivedAt),
            rows.map((row) => JSON.stringify(row.steps)),
          ],
        );
      }
      const plain = await bytes("pg_total_relation_size('plain_log')");
      const silent: ExchangeRow = {
        ...rowOf(0),
        receivedAt: null,
        result: "timeout",
        readings: 0,
        message: "no answer",
      };
      const silentFrom = Date.UTC(2026, 10, 2);
      for (let minute = 0; minute < 10 * 1440; minute++)
        await logExchanges(system, [{ ...silent, startedMs: silentFrom + minute * 60_000 }]);
      const { rows: days } = await pool.query("select from poll_log where started_ms >= $1", [silentFrom]);
      const json = steps.reduce((sum, each) => sum + JSON.stringify(each).length, 0) / steps.length;
      const short = steps.reduce((sum, each) => sum + packSteps(each).length, 0) / steps.length;
      return [
        reported("dialogues of the samples", steps.length, ""),
        reported("steps as JSON, on average", json, "bytes"),
        reported("steps packed, on average", short, "bytes"),
        reported("a poll with steps as jsonb, keys included", plain / polls, "bytes"),
        atMost("a poll now, keys included", packed / polls, "bytes", 600),
        reported("exchanges written", polls / (ms / 1000), "/s"),
        atMost("rows of a silent device asked every minute for ten days", days.length, "", 10),
      ];
    } finally {
      await cluster.stop();
    }
  },
};
