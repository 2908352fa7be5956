import MailComposer from "nodemailer/lib/mail-composer";
import type { Composed } from "./compose.ts";

export interface Mail {
  readonly from: string;
  readonly to: string;
  /** The whole message, headers first, lines ended by CR LF. */
  readonly bytes: Buffer;
}

export interface Addressed {
  readonly id: number;
  readonly recipient: string;
  readonly createdAt: Date;
}

/**
 * Makes the message. Its Message-ID is that of the letter, not of the try: should a letter arrive twice, mailboxes can
 * tell. No sign of a recipient or a subject can end a header: compose() has taken line breaks out, the library folds.
 */
export async function buildMail(
  from: string,
  { id, recipient, createdAt }: Addressed,
  { subject, text, html }: Composed,
): Promise<Mail> {
  const host = from.replace(/^.*@/, "").replaceAll(/[^\w.-]/g, "");
  const node = new MailComposer({
    from,
    to: { name: "", address: recipient },
    subject,
    text,
    html,
    // Readable as it lies in a file, whatever the language.
    textEncoding: "quoted-printable",
    date: createdAt,
    messageId: `<letter-${String(id)}-${String(createdAt.getTime())}@${host}>`,
    headers: { "Auto-Submitted": "auto-generated" },
    disableUrlAccess: true,
    disableFileAccess: true,
  }).compile();
  const envelope = node.getEnvelope();
  return { from: envelope.from === false ? "" : envelope.from, to: recipient, bytes: await node.build() };
}
