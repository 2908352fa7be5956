import { startApi, type BenchApi } from "../api.ts";
import { atLeast, atMost, median, reported, type Bench } from "../report.ts";

const rounds = 60;

/** Cases that differ by address only: with an account, without one, and with a locked account. */
const people = {
  known: "engineer@metrum.example",
  unknown: "nobody@metrum.example",
  locked: "viewer@metrum.example",
};

export const bench: Bench = {
  title: "a refused sign-in takes the same time with and without an account, and while it is locked",
  async run() {
    const api = await startApi();
    try {
      const times = { known: [] as number[], unknown: [] as number[], locked: [] as number[] };
      // Alternating, so that other load affects all of them.
      for (let round = -5; round < rounds; round += 1)
        for (const kind of ["known", "unknown", "locked"] as const) {
          const ms = await timeOf(api, kind);
          if (round >= 0) times[kind].push(ms);
        }
      const [known, unknown, locked] = [median(times.known), median(times.unknown), median(times.locked)];
      return [
        reported("known address, median", known, "ms"),
        reported("unknown address, median", unknown, "ms"),
        reported("locked account, median", locked, "ms"),
        atLeast("unknown, of known", unknown / known, "x", 0.8),
        atMost("unknown, of known", unknown / known, "x", 1.2),
        atLeast("locked, of known", locked / known, "x", 0.8),
        atMost("locked, of known", locked / known, "x", 1.2),
      ];
    } finally {
      await api.stop();
    }
  },
};

/** Milliseconds of one refusal, without earlier failures except those of a lock. */
async function timeOf({ port, services }: BenchApi, kind: keyof typeof people): Promise<number> {
  const { pool } = services.database;
  await pool.query("delete from guess");
  if (kind === "locked")
    await pool.query("insert into guess (subject, failed_at) values (sha256($1), $2)", [
      Buffer.from(`code:${people.locked}`),
      Array.from({ length: 5 }, () => Date.now()),
    ]);
  const started = performance.now();
  const response = await fetch(`http://127.0.0.1:${String(port)}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: people[kind], password: "a wrong password" }),
  });
  const { code } = (await response.json()) as { code?: string };
  if (code !== "sign_in_refused") throw new Error(`${kind}: ${String(code)}`);
  return performance.now() - started;
}
