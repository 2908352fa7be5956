import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { dataDir, eventually } from "./journey.ts";

export interface Letter {
  readonly subject: string;
  readonly text: string;
  /** Target of its link. */
  readonly link: string;
}

/** Waits for the letter to an address that contains a link to a route, in the outbox of the platform. */
export async function letterTo(email: string, route: string): Promise<Letter> {
  let found: Letter | undefined;
  const look = async () =>
    (found = (await lettersTo(email)).findLast(({ link }) => link.includes(`#/${route}`)));
  await eventually(look).toBeDefined();
  if (!found) throw new Error(`no letter to ${email}`);
  return found;
}

/** All letters to an address, in the order in which they were written. */
export async function lettersTo(email: string): Promise<readonly Letter[]> {
  const folder = join(dataDir, "outbox");
  const names = await readdir(folder).catch(() => []);
  const mails = await Promise.all(
    names
      .filter((name) => name.endsWith(".eml"))
      .toSorted()
      .map((name) => readFile(join(folder, name), "utf8")),
  );
  return mails.filter((mail) => mail.includes(`\r\nTo: ${email}\r\n`)).map(opened);
}

/** Undoes quoted-printable, and base64 in the subject. */
function opened(mail: string): Letter {
  const text = plain(mail.replaceAll(/=\r\n/g, ""));
  return {
    subject: subjectOf(mail),
    text,
    link: /https?:\/\/[\w.:-]+\/#\/[\w/-]+/.exec(text)?.[0] ?? "",
  };
}

function subjectOf(mail: string): string {
  const folded = /^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(mail)?.[1] ?? "";
  return folded
    .replaceAll(/\?=\s+=\?/g, "?==?")
    .replaceAll(/=\?UTF-8\?B\?([^?]*)\?=/gi, (_, text: string) => Buffer.from(text, "base64").toString())
    .replaceAll(/=\?UTF-8\?Q\?([^?]*)\?=/gi, (_, text: string) => plain(text.replaceAll("_", " ")));
}

function plain(quoted: string): string {
  return quoted.replaceAll(/(?:=[0-9A-F]{2})+/g, (hex) =>
    Buffer.from(hex.replaceAll("=", ""), "hex").toString(),
  );
}
