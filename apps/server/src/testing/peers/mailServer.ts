import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export type MailServerMode =
  | "accept"
  | "refuse"
  | "busy"
  | "silentBeforeText"
  | "silentAfterText"
  | "dieBeforeText"
  | "dieAfterText";

export interface ReceivedMail {
  readonly raw: string;
  readonly from: string;
  readonly to: readonly string[];
}

export type MailServerSays =
  | { readonly port: number }
  | { readonly mode: MailServerMode }
  | { readonly mail: ReceivedMail };

export interface MailServer {
  readonly port: number;
  readonly url: string;
  /** All letters whose text has arrived, whatever the answer. */
  readonly mails: readonly ReceivedMail[];
  readonly behave: (mode: MailServerMode) => Promise<void>;
  /** Resolves when the process has ended. */
  readonly ended: Promise<unknown>;
  readonly stop: () => Promise<void>;
}

const program = fileURLToPath(new URL("mailServerProcess.ts", import.meta.url));

/** Starts a real mail server as a child process; `account` is "name:password" if it requires one. */
export async function startMailServer({ port = 0, account = "" } = {}): Promise<MailServer> {
  const child: ChildProcess = fork(program, [String(port), ...(account === "" ? [] : [account])], {
    execArgv: ["--conditions=source", "--import", "tsx"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const mails: ReceivedMail[] = [];
  const ended = once(child, "exit");
  child.on("message", (message: MailServerSays) => {
    if ("mail" in message) mails.push(message.mail);
  });
  const listening = await new Promise<number>((resolve, reject) => {
    child.on("message", (message: MailServerSays) => {
      if ("port" in message) resolve(message.port);
    });
    child.once("exit", (code) => reject(new Error(`the mail server ended with ${String(code)}`)));
  });
  return {
    port: listening,
    url: `smtp://${account === "" ? "" : `${account}@`}127.0.0.1:${String(listening)}`,
    mails,
    ended,
    async behave(mode) {
      const confirmed = new Promise<void>((resolve) => {
        const hear = (message: MailServerSays): void => {
          if (!("mode" in message) || message.mode !== mode) return;
          child.off("message", hear);
          resolve();
        };
        child.on("message", hear);
      });
      child.send(mode);
      await confirmed;
    },
    async stop() {
      if (child.exitCode === null) child.disconnect();
      await ended;
    },
  };
}
