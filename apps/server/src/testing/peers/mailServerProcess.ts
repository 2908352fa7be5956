// A mail server in a separate process: it can refuse, fall silent and die in the middle of a session.
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import type { MailServerMode, MailServerSays } from "./mailServer.ts";

let mode: MailServerMode = "accept";
const say = (what: MailServerSays): void => void process.send?.(what);
const refusal = (code: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode: code });
const account = process.argv[3];

const server = new SMTPServer({
  disabledCommands: account === undefined ? ["STARTTLS", "AUTH"] : ["STARTTLS"],
  authOptional: account === undefined,
  allowInsecureAuth: true,
  onAuth: ({ username, password }, _session, done) =>
    `${username ?? ""}:${password ?? ""}` === account
      ? done(null, { user: username })
      : done(refusal(535, "wrong password")),
  onRcptTo: (_address, _session, done) => {
    if (mode === "refuse") {
      done(refusal(550, "no such mailbox here"));
      return;
    }
    if (mode === "dieBeforeText") process.exit(1);
    if (mode === "silentBeforeText") return undefined;
    done();
  },
  onData: (stream, { envelope }, done) => {
    const received = (raw: string): void => {
      say({
        mail: {
          raw,
          from: envelope.mailFrom ? envelope.mailFrom.address : "",
          to: envelope.rcptTo.map((to) => to.address),
        },
      });
      if (mode === "dieAfterText") process.exit(1);
      if (mode === "silentAfterText") return;
      if (mode === "busy") done(refusal(451, "try again later"));
      else done();
    };
    // A client that disconnects in the middle of its text must not end the process.
    text(stream).then(received, () => undefined);
  },
});
server.on("error", () => undefined);
process.on("message", (wanted: MailServerMode) => {
  mode = wanted;
  say({ mode });
});
process.on("disconnect", () => process.exit(0));
const listening = server.listen(Number(process.argv[2]), "127.0.0.1", () => {
  const address = listening.address();
  say({ port: typeof address === "object" && address ? address.port : 0 });
});
