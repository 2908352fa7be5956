import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { languages } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { remember, type Services } from "#core";
import { registrationLetters } from "#access/registration";
import { accountLetters } from "#access/users";
import { secondFactorLetters } from "#access/profile";
import { openTestApi, type TestApi } from "#testing/api";
import { startMailServer, type MailServer } from "#testing/peers/mailServer";
import { until } from "#testing/until";
import { compose } from "./compose.ts";
import { createLetterKinds, defineLetter, letterText, type Attachment } from "./kinds.ts";
import { sendLetter, type Sending } from "./letters.ts";
import { buildMail } from "./mail.ts";
import { sendNext, startPost } from "./post.ts";
import { sendBySmtp } from "./smtp.ts";

/** Seconds that the clock of the test is ahead of real time. */
let ahead = 0;
let api: TestApi;
let server: MailServer;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "metrum-letters-"));
  const nowMs = (): number => Date.now() + ahead * 1000;
  api = await openTestApi({
    env: { METRUM_DATA_DIR: dataDir },
    clock: { nowMs, now: () => Math.floor(nowMs() / 1000) },
  });
  server = await startMailServer();
});
beforeEach(async () => {
  ahead = 0;
  await sql`delete from letter`.execute(api.services.database.system);
});
afterAll(async () => {
  await server.stop();
  await api.close();
  await rm(dataDir, { recursive: true, force: true });
});

const withServer = (url = server.url): Services => ({
  ...api.services,
  config: { ...api.services.config, smtpUrl: url, mailFrom: "Metrum <post@metrum.example>" },
});
const link = "https://metrum.example/#/auth/forget/reset/token";
const [, , reset] = registrationLetters;
const kinds = createLetterKinds([...registrationLetters, ...accountLetters, ...secondFactorLetters]);
const write = (given: Partial<Sending> = {}) =>
  sendLetter(api.services.database.system, {
    companyId: api.companies.first,
    to: "engineer@metrum.example",
    language: "en",
    kind: reset,
    params: { link },
    ...given,
  });

interface Row {
  readonly state: string;
  readonly tries: number;
  readonly error: string | null;
  readonly has_text: boolean;
}
async function rows(): Promise<Row[]> {
  const found = await sql<Row>`
    select state, tries, error, params is not null as has_text from letter order by id
  `.execute(api.services.database.system);
  return found.rows;
}
/** Letters received by a mailbox: headers unfolded, text decoded. */
function opened(raw: string): { headers: string; body: string } {
  const [head = "", ...rest] = raw.split("\r\n\r\n");
  const parts = rest.join("\r\n\r\n");
  const body = parts
    .replaceAll(/=\r\n/g, "")
    .replaceAll(/(?:=[0-9A-F]{2})+/g, (hex) => Buffer.from(hex.replaceAll("=", ""), "hex").toString());
  return { headers: head.replaceAll(/\r\n[ \t]+/g, " "), body };
}

describe("through a mail server", () => {
  test("a letter arrives once, from the configured sender, and its text is then deleted from the outbox", async () => {
    await server.behave("accept");
    const before = server.mails.length;
    await write();

    expect(await sendNext(withServer())).toBe(true);
    expect(await sendNext(withServer())).toBe(false);

    expect(server.mails).toHaveLength(before + 1);
    const mail = server.mails.at(-1);
    expect(mail).toMatchObject({ from: "post@metrum.example", to: ["engineer@metrum.example"] });
    const { headers, body } = opened(mail?.raw ?? "");
    expect(headers).toMatch(/^From: Metrum <post@metrum\.example>$/m);
    expect(headers).toMatch(/^Subject: A new password$/m);
    expect(headers).toMatch(/^Content-Type: multipart\/alternative/m);
    expect(body).toContain(link);
    expect(await rows()).toEqual([{ state: "sent", tries: 1, error: null, has_text: false }]);
  });

  test("a refused letter is tried three times with growing pauses, then parked with the answer of the server", async () => {
    await server.behave("refuse");
    await write();

    const tried: [number, boolean][] = [];
    for (const seconds of [0, 29, 31, 330, 332, 100_000]) {
      ahead = seconds;
      tried.push([seconds, await sendNext(withServer())]);
    }

    expect(tried).toEqual([
      [0, true],
      [29, false],
      [31, true],
      [330, false],
      [332, true],
      [100_000, false],
    ]);
    const [row] = await rows();
    expect(row).toMatchObject({ state: "parked", tries: 3, has_text: true });
    expect(row?.error).toMatch(/no such mailbox here/);
  });

  test("a letter is sent again if the server answers its text with a temporary refusal", async () => {
    await server.behave("busy");
    await write();
    await sendNext(withServer());
    expect(await rows()).toMatchObject([{ state: "queued", tries: 1 }]);

    await server.behave("accept");
    ahead = 31;
    await sendNext(withServer());

    expect(await rows()).toMatchObject([{ state: "sent", tries: 2 }]);
  });

  test("a server that fails before the text costs an attempt, not the letter", async () => {
    const dying = await startMailServer();
    await dying.behave("dieBeforeText");
    await write();

    await sendNext(withServer(dying.url));
    await dying.ended;
    ahead = 31;
    await sendNext(withServer(dying.url));
    expect(await rows()).toMatchObject([{ state: "queued", tries: 2 }]);
    const next = await startMailServer({ port: dying.port });
    ahead = 400;
    await sendNext(withServer(next.url));

    expect(await rows()).toMatchObject([{ state: "sent", tries: 3 }]);
    expect(next.mails).toHaveLength(1);
    await next.stop();
  });

  test("a server that fails during the text leaves the outcome unknown: the letter is not sent a second time", async () => {
    const dying = await startMailServer();
    await dying.behave("dieAfterText");
    await write();

    await sendNext(withServer(dying.url));
    await dying.ended;
    ahead = 100_000;

    expect(await sendNext(withServer())).toBe(false);
    expect(await rows()).toMatchObject([{ state: "unknown", tries: 1, has_text: true }]);
  });

  test("a server that stops answering is a failure before the text and an unknown outcome after it", async () => {
    const mail = await buildMail(
      "post@metrum.example",
      { companyId: 1, key: "1", recipient: "engineer@metrum.example", createdAt: new Date(0) },
      compose(kinds, { kind: "reset", language: "en", params: { link } }),
    );
    const begin = () => Promise.resolve(true);
    const outcomes: string[] = [];
    for (const mode of ["silentBeforeText", "silentAfterText"] as const) {
      await server.behave(mode);
      const { kind } = await sendBySmtp(server.url, mail, { begin, timeouts: { socketTimeout: 300 } });
      outcomes.push(kind);
    }
    const nobody = await sendBySmtp("smtp://127.0.0.1:1", mail, { begin });

    expect([...outcomes, nobody.kind]).toEqual(["failed", "unknown", "failed"]);
  });

  test("a letter whose lease has passed to another process is not sent", async () => {
    await server.behave("accept");
    const before = server.mails.length;
    const mail = await buildMail(
      "post@metrum.example",
      { companyId: 1, key: "2", recipient: "engineer@metrum.example", createdAt: new Date(0) },
      compose(kinds, { kind: "reset", language: "en", params: { link } }),
    );

    const outcome = await sendBySmtp(server.url, mail, { begin: () => Promise.resolve(false) });

    expect(outcome.kind).toBe("failed");
    expect(server.mails).toHaveLength(before);
  });

  test("a server that requires it gets name and password; a refused password is reported in the error", async () => {
    const guarded = await startMailServer({ account: "metrum:secret" });
    await write();
    await sendNext(withServer(guarded.url));
    await write();
    await sendNext(withServer(guarded.url.replace("secret", "wrong")));

    const [sent, refused] = await rows();
    expect(sent?.state).toBe("sent");
    expect(refused).toMatchObject({ state: "queued" });
    expect(refused?.error).toMatch(/wrong password/);
    await guarded.stop();
  });
});

describe("attachments", () => {
  const files = new Map<string, Buffer>();
  const report = defineLetter({
    id: "report",
    subject: letterText("Отчёт за {month}", "Report of {month}", "{month}-н тайлан"),
    body: [letterText("Отчёт во вложении.", "The report is attached.", "Тайланг хавсаргав.")],
    action: letterText("Открыть", "Open", "Нээх"),
    parameters: ["month", "file"],
    attachments(_, { file }): Promise<readonly Attachment[]> {
      const content = files.get(file);
      return content
        ? Promise.resolve([
            { name: "Отчёт за октябрь.pdf", type: "application/pdf", content },
            { name: "days.csv", type: "text/csv", content: Buffer.from("day;kWh\r\n") },
          ])
        : Promise.reject(new Error("the report is not there yet"));
    },
  });
  const services = (): Services => {
    const known = withServer();
    return {
      ...known,
      parts: { ...known.parts, letterKinds: createLetterKinds([...kinds.values(), report]) },
    };
  };
  const sendReport = (given: { readonly key?: string; readonly companyId?: Sending["companyId"] } = {}) =>
    sendLetter(api.services.database.system, {
      companyId: api.companies.first,
      to: "engineer@metrum.example",
      language: "en",
      kind: report,
      params: { link, month: "October", file: "17" },
      ...given,
    });
  const idOf = (raw = "") => /^Message-ID:\s*(.*)$/im.exec(raw)?.[1];

  test("are read when the letter leaves, and arrive as parts of their type and name, byte for byte", async () => {
    await server.behave("accept");
    const content = Buffer.from(Array.from({ length: 5_000 }, (_, n) => (n * 7) % 256));
    files.set("17", content);
    await sendReport();

    await sendNext(services());

    const raw = server.mails.at(-1)?.raw ?? "";
    expect(opened(raw).headers).toMatch(/^Content-Type: multipart\/mixed/m);
    const [, boundary = ""] = /^Content-Type: multipart\/mixed;\s+boundary="([^"]+)"/m.exec(raw) ?? [];
    const [letter = "", ...parts] = raw.split(`--${boundary}\r\n`).slice(1);
    expect(letter).toMatch(/^Content-Type: multipart\/alternative/);
    const shown = parts.map((part) => {
      const [head = "", text = ""] = part.split(`\r\n--${boundary}--`)[0]?.split("\r\n\r\n") ?? [];
      const type = /^Content-Type: ([\w/]+)/m.exec(head)?.[1];
      return { type, isFile: head.includes("Content-Disposition: attachment"), head, text };
    });
    expect(shown).toMatchObject([
      { type: "application/pdf", isFile: true },
      { type: "text/csv", isFile: true },
    ]);
    expect(shown[0]?.head).toContain(encodeURIComponent("Отчёт за октябрь.pdf").slice(0, 30));
    expect(Buffer.from(shown[0]?.text ?? "", "base64").equals(content)).toBe(true);
    expect(await rows()).toMatchObject([{ state: "sent", has_text: false }]);
  });

  test("that cannot be read cost an attempt; the letter follows once they are there", async () => {
    await server.behave("accept");
    files.delete("17");
    await sendReport();

    await sendNext(services());
    expect(await rows()).toMatchObject([{ state: "queued", tries: 1, error: "the report is not there yet" }]);
    files.set("17", Buffer.from("%PDF"));
    ahead = 31;
    await sendNext(services());

    expect(await rows()).toMatchObject([{ state: "sent", tries: 2 }]);
  });

  test("of more than ten megabytes are not sent", async () => {
    files.set("17", Buffer.alloc(10 * 1024 * 1024));
    await sendReport();
    const before = server.mails.length;

    await sendNext(services());

    expect(server.mails).toHaveLength(before);
    expect(await rows()).toMatchObject([
      { state: "queued", error: "the files of the letter have 10485769 bytes" },
    ]);
  });

  test("a letter with a key is written once in its company, and has one Message-ID however often it leaves", async () => {
    await server.behave("accept");
    files.set("17", Buffer.from("%PDF"));
    const before = server.mails.length;
    for (let n = 0; n < 3; n += 1) await sendReport({ key: "newsletter 5, 1 November, engineer" });
    await sendReport({ key: "newsletter 5, 1 November, engineer", companyId: api.companies.second });
    await sendReport({ key: "newsletter 5, 2 November, engineer" });
    while (await sendNext(services())) continue;
    await sql`update letter set state = 'unknown', params = ${JSON.stringify({ link, month: "October", file: "17" })}
      where company_id = ${api.companies.second}`.execute(api.services.database.system);
    await sql`update letter set state = 'queued', tries = 0, created_at = created_at - interval '1 hour'
      where state = 'unknown'`.execute(api.services.database.system);
    while (await sendNext(services())) continue;

    const ids = server.mails.slice(before).map(({ raw }) => idOf(raw));
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(3);
    expect(ids.every((id) => /^<letter-[\da-f]{32}@metrum\.example>$/.test(id ?? ""))).toBe(true);
    expect(ids.filter((id) => id === ids[3])).toHaveLength(2);
  });

  test("a kind whose texts name what it does not have, and two kinds of one id, are refused", () => {
    expect(() => defineLetter({ ...report, parameters: ["file"] })).toThrow(
      "the letter report has no parameter {month}",
    );
    expect(() => createLetterKinds([report, report])).toThrow("two kinds of letters have one id");
  });
});

describe("the outbox", () => {
  test("two processes never lease the same letter", async () => {
    await server.behave("accept");
    const before = server.mails.length;
    for (let n = 0; n < 12; n += 1) await write();

    const drain = async (): Promise<void> => {
      while (await sendNext(withServer())) continue;
    };
    await Promise.all([drain(), drain(), drain()]);

    expect(server.mails).toHaveLength(before + 12);
    expect(
      new Set(server.mails.slice(before).map(({ raw }) => /^Message-ID: (.*)$/im.exec(raw)?.[1])).size,
    ).toBe(12);
  });

  test("letters leased but not sent by a dead process are sent by another one after a minute", async () => {
    await write();
    await sql`update letter set leased_until = now() + interval '60 seconds', tries = 1`.execute(
      api.services.database.system,
    );

    expect(await sendNext(api.services)).toBe(false);
    ahead = 61;
    expect(await sendNext(api.services)).toBe(true);

    expect(await rows()).toMatchObject([{ state: "sent", tries: 2 }]);
  });

  test("a letter in delivery when its process died becomes unknown, and is not sent again automatically", async () => {
    await write();
    await sql`update letter set state = 'sending', leased_until = now() + interval '60 seconds', tries = 1`.execute(
      api.services.database.system,
    );
    ahead = 61;

    expect(await sendNext(api.services)).toBe(false);

    expect(await rows()).toMatchObject([{ state: "unknown", tries: 1 }]);
  });

  test("a clock set back across a restart keeps no letter waiting, and none of that time counts for longer", async () => {
    const { system } = api.services.database;
    const setBackSec = 7_200;
    await write();
    await sql`update letter set created_at = now() + interval '2 hours', due_at = now() + interval '2 hours',
      leased_until = now() + interval '2 hours'`.execute(system);
    await remember(system, "clock_seen:letters", { at: api.services.clock.now() + setBackSec });

    const stop = startPost(api.services);
    await until(async () => (await rows())[0]?.state === "sent");
    await stop();

    const { rows: written } = await sql<{ ahead: boolean }>`
      select created_at > now() as ahead from letter`.execute(system);
    expect(written).toEqual([{ ahead: false }]);
  });

  test("REG-031 without a mail server a letter is a file that only the server's account reads", async () => {
    await write({ language: "mn" });

    await sendNext(api.services);

    const folder = join(dataDir, "outbox");
    const [name = ""] = (await readdir(folder)).toSorted().slice(-1);
    expect(name).toMatch(/^\d{8}\.eml$/);
    const [ofFolder, ofFile] = [await stat(folder), await stat(join(folder, name))];
    expect([ofFolder.mode & 0o777, ofFile.mode & 0o777]).toEqual([0o700, 0o600]);
    const { headers, body } = opened(await readFile(join(folder, name), "utf8"));
    expect(headers).toMatch(/^To: engineer@metrum\.example$/m);
    expect(body).toContain(link);
    expect(body).toContain("Шинэ нууц үг тохируулах");
    expect(await rows()).toMatchObject([{ state: "sent", has_text: true }]);
  });

  test("the worker sends on notification, without polling", async () => {
    const stop = startPost(api.services);
    const sent = new Promise<void>((resolve) => {
      const look = (): void => {
        void rows().then(([row]) => (row?.state === "sent" ? resolve() : setImmediate(look)));
      };
      look();
    });

    await write();

    await sent;
    await stop();
  });

  test("a letter whose link has expired is not sent", async () => {
    await write({ uselessAfter: api.services.clock.now() + 60 });
    ahead = 61;

    await sendNext(api.services);

    expect(await rows()).toMatchObject([{ state: "parked", error: "the link of the letter has died" }]);
  });

  test("a company sends 500 letters in 24 hours; the next one is parked, another company's is not", async () => {
    const { system } = api.services.database;
    await sql`
      insert into letter (company_id, recipient, language, kind, params, state)
      select ${api.companies.first}, 'a@b.example', 'en', 'reset', '{}', 'sent' from generate_series(1, 499)
    `.execute(system);

    await write();
    await write();
    await write({ companyId: api.companies.second });

    const found = (await rows()).slice(499).map(({ state }) => state);
    expect(found).toEqual(["queued", "parked", "queued"]);
    await sql`update letter set created_at = created_at - interval '25 hours'`.execute(system);
    await write();
    expect((await rows()).at(-1)?.state).toBe("queued");
  });

  test("a call of a company can queue its own letters but read the text of none", async () => {
    await write();
    const scope = await scopeOf("engineer@metrum.example");
    const read = api.services.database.scoped(scope, (db) => sql`select params from letter`.execute(db));
    await expect(read).rejects.toThrow(/permission denied/);

    const foreign = api.services.database.scoped(scope, (db) =>
      sendLetter(db, {
        companyId: api.companies.second,
        to: "a@b.example",
        language: "en",
        kind: reset,
        params: { link },
      }),
    );
    await expect(foreign).rejects.toThrow(/row-level security/);
  });
});

async function scopeOf(email: string) {
  const { lookUp, hashOf } = await import("#access/auth");
  const found = await lookUp(api.services, hashOf(await api.token(email)));
  if (!found) throw new Error("no session");
  return found.session.scope;
}

describe("texts of letters", () => {
  const params = {
    link: "https://metrum.example/#/auth/activate/abc",
    password: "Kx7!mPqw",
    company: "Valley Heat",
    inviter: "Dispatcher",
  };
  const all = [...kinds.keys()].flatMap((kind) => languages.map((language) => [kind, language] as const));

  test.each(all)(
    "%s in %s has every placeholder filled, the link in text and HTML, and a subject of one line",
    (kind, language) => {
      const { subject, text, html } = compose(kinds, { kind, language, params });

      expect(`${subject}${text}${html}`).not.toMatch(/\{\w+\}/);
      expect(subject).not.toMatch(/[\r\n]/);
      expect(text).toContain(params.link);
      expect(html).toContain(`href="${params.link}"`);
      expect(html).toContain(`lang="${language}"`);
    },
  );

  test("user input becomes neither a header nor HTML nor a second paragraph", async () => {
    const company = 'Evil"\r\nBcc: all@metrum.example\r\n\r\n<script>alert(1)</script>';
    const composed = compose(kinds, { kind: "invitation", language: "en", params: { ...params, company } });
    const { bytes } = await buildMail(
      "post@metrum.example",
      { companyId: 1, key: "3", recipient: "engineer@metrum.example", createdAt: new Date(0) },
      composed,
    );

    const { headers } = opened(bytes.toString());
    expect(headers).not.toMatch(/^Bcc:/im);
    expect(composed.html).not.toContain("<script>");
    expect(composed.text).not.toContain("\r\nBcc");
    expect(headers.match(/^To:/gim)).toHaveLength(1);
  });

  test("a recipient's address cannot add another recipient", async () => {
    const { bytes } = await buildMail(
      "post@metrum.example",
      { companyId: 1, key: "4", recipient: "a@b.example\r\nBcc: c@d.example", createdAt: new Date(0) },
      compose(kinds, { kind: "reset", language: "en", params }),
    );

    expect(opened(bytes.toString()).headers).not.toMatch(/^Bcc:/im);
  });
});
