import { Readable } from "node:stream";
import { parseConnectionUrl } from "nodemailer/lib/shared";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import type { Mail } from "./mail.ts";

/**
 * How a try has ended: refused and unreachable may be tried again, unknown may not, for it may have arrived.
 */
export type Outcome =
  | { readonly kind: "sent" }
  | { readonly kind: "failed" | "unknown"; readonly error: string };

/** All steps of an attempt together take less time than the lease of the letter. */
const times = { dnsTimeout: 5_000, connectionTimeout: 8_000, greetingTimeout: 8_000, socketTimeout: 12_000 };
const wholeTryMs = 45_000;

/**
 * Passes a message to the server of the URL (`smtp://user:password@host:587`, `smtps://…`), with TLS if the
 * server offers it. `begin` is called right before the first byte of the message is sent; unless it returns
 * true, none is sent.
 * Never throws: any error before the message begins to be sent, and every answer of the server, is `failed`;
 * silence or a lost connection after that is `unknown`.
 */
export async function sendBySmtp(
  url: string,
  mail: Mail,
  {
    begin,
    timeouts = times,
  }: { readonly begin: () => Promise<boolean>; readonly timeouts?: Partial<typeof times> },
): Promise<Outcome> {
  const options = parseConnectionUrl(url);
  const connection = new SMTPConnection({ ...options, ...times, ...timeouts });
  const message = onDemand(mail.bytes, begin);
  try {
    await converse(connection, options.auth, { ...mail, message: message.stream });
    return { kind: "sent" };
  } catch (error) {
    const isAnswered = error instanceof Error && "responseCode" in error && error.responseCode !== undefined;
    const text = error instanceof Error ? error.message : String(error);
    return { kind: message.hasBegun() && !isAnswered ? "unknown" : "failed", error: text.slice(0, 500) };
  } finally {
    message.stream.destroy();
    connection.close();
  }
}

function converse(
  connection: SMTPConnection,
  auth: ReturnType<typeof parseConnectionUrl>["auth"],
  { from, to, bytes, message }: Mail & { readonly message: Readable },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error("the mail server did not finish in time")), wholeTryMs);
    const settle = (error?: Error | null): void => {
      clearTimeout(late);
      if (error) reject(error);
      else resolve();
    };
    const send = (error?: Error | null): void => {
      if (error) settle(error);
      else connection.send({ from, to, size: bytes.length }, message, settle);
    };
    connection.on("error", settle);
    connection.once("end", () => settle(new Error("the mail server has hung up")));
    connection.connect((error) => {
      if (error) settle(error);
      else if (auth) connection.login(auth, send);
      else send();
    });
  });
}

/** A stream that calls `begin` before its first byte: the server has by then agreed to accept the message. */
function onDemand(
  bytes: Buffer,
  begin: () => Promise<boolean>,
): { readonly stream: Readable; readonly hasBegun: () => boolean } {
  let hasBegun = false;
  let isAsked = false;
  const stream = new Readable({
    read() {
      if (isAsked) return;
      isAsked = true;
      begin().then(
        (isAllowed) => {
          if (!isAllowed || stream.destroyed) {
            stream.destroy(new Error("the letter is no longer ours to send"));
            return;
          }
          hasBegun = true;
          stream.push(bytes);
          stream.push(null);
        },
        (error: unknown) => stream.destroy(error instanceof Error ? error : new Error(String(error))),
      );
    },
  });
  // The reader gets errors through the connection; an unhandled one must not end the process.
  stream.on("error", () => undefined);
  return { stream, hasBegun: () => hasBegun };
}
