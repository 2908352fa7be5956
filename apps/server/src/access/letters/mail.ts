import MailComposer from "nodemailer/lib/mail-composer";
import type { Composed } from "./compose.ts";

export interface Mail {
  readonly from: string;
  readonly to: string;
  /** The whole message with its headers; lines end with CR LF. */
  readonly bytes: Buffer;
}

export interface Addressed {
  readonly id: number;
  readonly recipient: string;
  readonly createdAt: Date;
}

/**
 * Builds the message. Its Message-ID belongs to the letter and not to the attempt, so that a mail client
 * recognises a letter that arrives twice. Recipient and subject cannot inject a header: compose() removes
 * line breaks and the library folds lines.
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
    // Keeps the text readable in a file, whatever its language.
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
