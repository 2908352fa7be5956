import { execFileSync } from "node:child_process";
import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** Child process: simulates users at work, or attackers. */
export type FloodsTask =
  | {
      readonly kind: "people";
      readonly port: number;
      readonly emails: readonly string[];
      readonly password: string;
      readonly deviceIds: readonly number[];
      readonly seconds: number;
    }
  | { readonly kind: "bodies"; readonly port: number; readonly token: string; readonly seconds: number }
  | { readonly kind: "registrations"; readonly port: number; readonly seconds: number };

/** Milliseconds of each answer to users, and number of answers by status. */
export interface FloodsResult {
  readonly signInMs: readonly number[];
  readonly callMs: readonly number[];
  readonly statuses: Readonly<Record<string, number>>;
}

interface Sent {
  readonly path: string;
  readonly body: string | Buffer;
  readonly from: string;
  readonly token?: string;
  readonly type?: string;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

const patienceMs = 60_000;

process.once("message", (task: FloodsTask) => {
  void run(task).then((result) => process.send?.(result, () => process.exit()));
});
process.once("disconnect", () => process.exit());

async function run(task: FloodsTask): Promise<FloodsResult> {
  const result = { signInMs: [] as number[], callMs: [] as number[], statuses: {} as Record<string, number> };
  const note = (name: string, { status }: Answer): void => {
    const key = `${name} ${String(status)}`;
    result.statuses[key] = (result.statuses[key] ?? 0) + 1;
  };
  const endMs = performance.now() + task.seconds * 1000;
  // Real attackers use their own machines; here they run with the lowest priority.
  if (task.kind !== "people") execFileSync("chrt", ["--idle", "--pid", "0", String(process.pid)]);
  if (task.kind === "people") {
    const onSignIn = (answer: Answer): void => {
      result.signInMs.push(answer.ms);
      note("sign-in", answer);
    };
    const onCall = (answer: Answer): void => {
      result.callMs.push(answer.ms);
      note("call", answer);
    };
    await Promise.all(task.emails.map((email, at) => person(task, { email, at, endMs, onSignIn, onCall })));
  } else if (task.kind === "bodies") await floodBodies(task, endMs, note);
  else await floodRegistrations(task, endMs, note);
  return result;
}

interface Person {
  readonly email: string;
  readonly at: number;
  readonly endMs: number;
  readonly onSignIn: (answer: Answer) => void;
  readonly onCall: (answer: Answer) => void;
}

/** Signs in, requests the list and the data of a device some times, and starts over. */
async function person(
  task: Extract<FloodsTask, { kind: "people" }>,
  { email, at, endMs, onSignIn, onCall }: Person,
): Promise<void> {
  const { port, password, deviceIds } = task;
  const from = `192.0.2.${String(at + 1)}`;
  const pause = () => sleep(1_000 + Math.random() * 3_000);
  await sleep(Math.random() * 4_000);
  while (performance.now() < endMs) {
    const body = JSON.stringify({ email, password, personal_data_access: true });
    const signedIn = await send(port, { path: "auth/login", body, from });
    onSignIn(signedIn);
    const token = tokenIn(signedIn);
    for (let look = 0; look < 8 && token !== undefined && performance.now() < endMs; look++) {
      await pause();
      const id = deviceIds[Math.floor(Math.random() * deviceIds.length)];
      const call =
        look % 2 === 0
          ? { path: "device/metering_devices", body: "{}" }
          : {
              path: "device/messages",
              body: JSON.stringify({ device_id: id, msgType: 1, startDate: since, stopDate: until }),
            };
      onCall(await send(port, { ...call, from, token }));
    }
    await pause();
  }
}

const until = Math.floor(Date.now() / 1000);
const since = until - 2 * 86_400;

function tokenIn({ status, text }: Answer): string | undefined {
  if (status !== 200) return undefined;
  return (JSON.parse(text) as { data?: { access_token?: string } }).data?.access_token;
}

const signInEveryMs = 50;

type Note = (name: string, answer: Answer) => void;

/**
 * C.3: one address sends sign-ins of 88,000 keys twenty times a second, a signed-in user alternately 19 MiB
 * of brackets and of commas.
 */
async function floodBodies(
  { port, token }: Extract<FloodsTask, { kind: "bodies" }>,
  endMs: number,
  note: Note,
): Promise<void> {
  const keys = JSON.stringify(
    Object.fromEntries(Array.from({ length: 88_000 }, (_, n) => [`key${String(n)}`, n])),
  );
  const signIns = every(signInEveryMs, endMs, () =>
    send(port, { path: "auth/login", body: keys, from: "203.0.113.1" }).then((answer) =>
      note("body", answer),
    ),
  );
  const imports = ["[", ","].map(async (sign) => {
    const head = `--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\n`;
    const body = Buffer.from(`${head}${sign.repeat(19 * 1024 * 1024)}\r\n--x--\r\n`);
    const type = "multipart/form-data; boundary=x";
    const sent = { path: "device/messages/import_file", body, from: "203.0.113.2", token, type };
    // In sequence; requests that are cut off at once are not repeated faster than the sign-ins.
    while (performance.now() < endMs) {
      const [answer] = await Promise.all([send(port, sent), sleep(signInEveryMs)]);
      note("import", answer);
    }
  });
  await Promise.all([signIns, ...imports]);
}

/** C.4: sixty registrations a second from 28 addresses. */
async function floodRegistrations(
  { port }: Extract<FloodsTask, { kind: "registrations" }>,
  endMs: number,
  note: Note,
): Promise<void> {
  let n = 0;
  await every(1000 / 60, endMs, () => {
    n += 1;
    const body = JSON.stringify({
      name: "Flood",
      email: `flood${String(n)}@flood.example`,
      company_type_id: 1,
      company_name: "Flood",
      inn: "0123456789",
      phone_number: "+97699112233",
      user_time_zone: 8,
      password: "Kx7!mPqw-flood",
      password_confirmation: "Kx7!mPqw-flood",
    });
    const from = `203.0.113.${String(100 + (n % 28))}`;
    return send(port, { path: "auth/signup", body, from }).then((answer) => note("registration", answer));
  });
}

/** At this rate, whether or not earlier ones have been answered; at most 200 at a time. */
async function every(ms: number, endMs: number, run: () => Promise<void>): Promise<void> {
  let open = 0;
  for (let nextMs = performance.now(); nextMs < endMs; nextMs += ms) {
    await sleep(Math.max(0, nextMs - performance.now()));
    if (open >= 200) continue;
    open += 1;
    void run().finally(() => (open -= 1));
  }
}

function send(port: number, { path, body, from, token, type }: Sent): Promise<Answer> {
  const startedMs = performance.now();
  return new Promise((resolve) => {
    const end = (status: number, text = ""): void =>
      resolve({ status, text, ms: performance.now() - startedMs });
    const headers = {
      "content-type": type ?? "application/json",
      "content-length": Buffer.byteLength(body),
      "x-forwarded-for": from,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    const sent = request(
      {
        host: "127.0.0.1",
        port,
        path: `/api/${path}`,
        method: "POST",
        headers,
        agent: false,
        timeout: patienceMs,
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("end", () => end(response.statusCode ?? 0, Buffer.concat(parts).toString()));
        response.on("error", () => end(0));
      },
    );
    sent.on("timeout", () => sent.destroy()).on("error", () => end(0));
    sent.end(body);
  });
}
