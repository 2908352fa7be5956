import MailComposer from "nodemailer/lib/mail-composer";
import { createHash } from "node:crypto";
import type { Composed } from "./compose.ts";
import type { Attachment } from "./kinds.ts";

export interface Mail {
  readonly from: string;
  readonly to: string;
  /** The whole message with its headers; lines end with CR LF. */
  readonly bytes: Buffer;
}

export interface Addressed {
  readonly recipient: string;
  readonly createdAt: Date;
  readonly companyId: number;
  readonly key: string;
}

/** All files of a letter together: larger ones are refused by mail servers. */
const mostBytes = 10 * 1024 * 1024;

/**
 * Builds the message. Its Message-ID follows from the key of the letter and not from the attempt, so that a mail client
 * recognises a letter that arrives twice. Errors: Error for files that are too large. Recipient and subject cannot inject a header: compose() removes
 * line breaks and the library folds lines.
 */
export async function buildMail(
  from: string,
  { recipient, createdAt, companyId, key }: Addressed,
  { subject, text, html }: Composed,
  files: readonly Attachment[] = [],
): Promise<Mail> {
  const bytes = files.reduce((sum, { content }) => sum + content.length, 0);
  if (bytes > mostBytes) throw new Error(`the files of the letter have ${String(bytes)} bytes`);
  const host = from.replace(/^.*@/, "").replaceAll(/[^\w.-]/g, "");
  const node = new MailComposer({
    from,
    to: { name: "", address: recipient },
    subject,
    text,
    html,
    // Keeps the text readable in a file, whatever its language.
    textEncoding: "quoted-printable",
    date: createdAt,
    messageId: `<letter-${digestOf(`${String(companyId)} ${key}`)}@${host}>`,
    headers: { "Auto-Submitted": "auto-generated" },
    attachments: files.map(({ name, type, content }) => ({ filename: name, contentType: type, content })),
    disableUrlAccess: true,
    disableFileAccess: true,
  }).compile();
  const envelope = node.getEnvelope();
  return { from: envelope.from === false ? "" : envelope.from, to: recipient, bytes: await node.build() };
}

/** Says nothing of what the letter is about. */
const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);
