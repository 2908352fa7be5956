import { execFileSync } from "node:child_process";

/** Child process: one user joins as often as asked, over as many sockets as that needs; sends the outcome. */
export interface JoinsTask {
  readonly port: number;
  readonly token: string;
  readonly companyId: number;
  readonly joins: number;
}

export interface JoinsResult {
  readonly sent: number;
  readonly sockets: number;
  /** Handshakes that were refused. */
  readonly refused: number;
}

/** Joins in one body of at most 16 KiB, as large as the server reads. */
const joinsOfSocket = 300;
const sideBySide = 8;
/** Separator of packets in one body of the polling transport. */
const separator = "\u001e";

process.once("message", (task: JoinsTask) => {
  // A real attacker uses a machine of its own; here it runs with the lowest priority.
  execFileSync("chrt", ["--idle", "--pid", "0", String(process.pid)]);
  void run(task).then((result) => process.send?.(result, () => process.exit()));
});
process.once("disconnect", () => process.exit());

async function run(task: JoinsTask): Promise<JoinsResult> {
  let [sent, sockets, refused] = [0, 0, 0];
  const walk = async (): Promise<void> => {
    while (sent < task.joins) {
      sent += joinsOfSocket;
      sockets += 1;
      if (!(await joinOften(task))) refused += 1;
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, walk));
  return { sent, sockets, refused };
}

/** Opens a socket and joins until the server closes it; false: it was refused. */
async function joinOften({ port, token, companyId }: JoinsTask): Promise<boolean> {
  const url = `http://127.0.0.1:${String(port)}/socket.io/?EIO=4&transport=polling`;
  try {
    const opened = await (await fetch(url)).text();
    const { sid } = JSON.parse(opened.slice(1)) as { sid: string };
    const own = `${url}&sid=${sid}`;
    await post(own, `40${JSON.stringify({ token })}`);
    const admitted = await (await fetch(own)).text();
    const packet = `42${JSON.stringify(["join", { company_id: companyId }])}`;
    await post(own, Array<string>(joinsOfSocket).fill(packet).join(separator));
    return admitted.startsWith("40");
  } catch {
    return false;
  }
}

async function post(url: string, body: string): Promise<void> {
  const answer = await fetch(url, { method: "POST", body, headers: { "content-type": "text/plain" } });
  await answer.text();
}
