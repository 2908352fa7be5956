import { startApi, type BenchApi } from "../api.ts";
import { atLeast, atMost, median, reported, type Bench, type Figure } from "../report.ts";

/** With the warm-up below the rate limit of an address per minute. */
const rounds = 50;

const known = "viewer@metrum.example";
const company = {
  name: "Registrar",
  company_name: "Valley Heat Networks",
  inn: "0123456789",
  phone_number: "+97699112233",
  password: "Kx7!mPqw",
  password_confirmation: "Kx7!mPqw",
};

/** Requests that differ by address only. */
const questions = {
  "sign-up": { path: "auth/signup", bodyOf: (email: string) => ({ ...company, email }) },
  "forgotten password": { path: "auth/password/create", bodyOf: (email: string) => ({ email }) },
};

export const bench: Bench = {
  title: "registration and forgotten password take the same time with and without an account",
  async run() {
    const api = await startApi();
    try {
      const figures: Figure[] = [];
      for (const [name, question] of Object.entries(questions))
        figures.push(...(await compare(api, name, question)));
      return figures;
    } finally {
      await api.stop();
    }
  },
};

type Question = (typeof questions)[keyof typeof questions];

async function compare(api: BenchApi, name: string, question: Question): Promise<Figure[]> {
  const times = { known: [] as number[], unknown: [] as number[] };
  // Alternating, so that other load affects both alike.
  for (let round = -5; round < rounds; round += 1)
    for (const kind of ["known", "unknown"] as const) {
      const email = kind === "known" ? known : `nobody${String(round)}@valley.example`;
      const ms = await timeOf(api, question.path, question.bodyOf(email));
      if (round >= 0) times[kind].push(ms);
    }
  const share = median(times.unknown) / median(times.known);
  return [
    reported(`${name}, known address, median`, median(times.known), "ms"),
    reported(`${name}, unknown address, median`, median(times.unknown), "ms"),
    atLeast(`${name}, unknown of known`, share, "x", 0.8),
    atMost(`${name}, unknown of known`, share, "x", 1.2),
  ];
}

/** Milliseconds of one request, before the address has reached its hourly limit of letters. */
async function timeOf({ port, services }: BenchApi, path: string, body: object): Promise<number> {
  await services.database.pool.query("delete from letter");
  const started = performance.now();
  const response = await fetch(`http://127.0.0.1:${String(port)}/api/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${String(response.status)}`);
  return performance.now() - started;
}
