import { startRounds, watchClock, type ScheduledWork, type Services, type Stop } from "#core";
import { compose } from "./compose.ts";
import { forgetDeadLinks } from "./linkStore.ts";
import { buildMail } from "./mail.ts";
import { outboxOf, putIntoOutbox } from "./outbox.ts";
import { sendBySmtp, type Outcome } from "./smtp.ts";
import * as store from "./store.ts";

/** Longer than the longest attempt, within the 60 s of security rule 7.4. */
const leaseSec = 60;
/** Pause before the second and the third attempt. After the third the letter is parked. */
const pausesSec = [30, 300] as const;
/** Concurrent letters in this process. */
const atATime = 4;
/** Fallback interval: new letters are announced by notification. */
const wakeEveryMs = 5_000;

/**
 * Sends one letter that is due; false when there is none. A letter is leased, so that any number of processes
 * may do this. Errors: PostgreSQL's own.
 */
export async function sendNext(services: Services): Promise<boolean> {
  const { database, clock, log } = services;
  const now = new Date(clock.nowMs());
  await store.markUnknown(database.system, now);
  const row = await store.lease(database.system, now, leaseSec);
  if (!row) return false;
  const isUseless = row.params === null || (row.useless_after !== null && row.useless_after <= now);
  const outcome: Outcome = isUseless
    ? { kind: "failed", error: "the link of the letter has died" }
    : await attempt(services, row).catch(failure);
  if (outcome.kind !== "sent") log.warn({ letter: row.id, try: row.tries, outcome }, "a letter was not sent");
  await store.conclude(database.system, row, endOf(services, row, { outcome, isFinal: isUseless }));
  return true;
}

async function attempt(services: Services, row: store.LetterRow): Promise<Outcome> {
  const { config, database, parts } = services;
  const params = { link: "", ...row.params };
  const composed = compose(parts.letterKinds, { ...row, params });
  const files = await parts.letterKinds.get(row.kind)?.attachments?.(services, params);
  const { recipient, key, created_at: createdAt, company_id: companyId } = row;
  const mail = await buildMail(config.mailFrom, { recipient, key, createdAt, companyId }, composed, files);
  if (config.smtpUrl !== undefined)
    return sendBySmtp(config.smtpUrl, mail, { begin: () => store.beginSending(database.system, row) });
  await putIntoOutbox(outboxOf(config.dataDir), row.id, mail);
  return { kind: "sent" };
}

/** A letter that could not be composed or stored in the folder: nothing has been sent. */
function failure(error: unknown): Outcome {
  return { kind: "failed", error: error instanceof Error ? error.message : String(error) };
}

function endOf(
  { clock, config }: Services,
  { tries }: store.LetterRow,
  { outcome, isFinal }: { readonly outcome: Outcome; readonly isFinal: boolean },
): Parameters<typeof store.conclude>[2] {
  const now = clock.nowMs();
  // A letter sent by mail is private to its recipient; without a mail server platform staff can still read
  // it.
  if (outcome.kind === "sent")
    return {
      state: "sent",
      error: null,
      sent_at: new Date(now),
      ...(config.smtpUrl === undefined ? {} : { params: null }),
    };
  const { error } = outcome;
  if (outcome.kind === "unknown") return { state: "unknown", error };
  const pause = isFinal ? undefined : pausesSec[tries - 1];
  return pause === undefined
    ? { state: "parked", error }
    : { state: "queued", error, due_at: new Date(now + pause * 1000) };
}

/** Sends letters as they arrive, until it is stopped; letters in progress may finish. */
export function startPost(services: Services): Stop {
  const { database, clock, log } = services;
  const lookAtClock = watchClock(services, "letters", (bySec) =>
    store.pullLettersNear(database.system, new Date(clock.nowMs()), bySec),
  );
  const lane = async (): Promise<void> => {
    while (!sending.isStopped() && (await sendNext(services)));
  };
  const sending = startRounds({
    everyMs: wakeEveryMs,
    on: { listener: database.listener, channels: ["metrum_letters"] },
    async round() {
      await lookAtClock();
      await Promise.all(Array.from({ length: atATime }, lane));
    },
    onError: (error) => log.warn({ err: error }, "letters wait for the database"),
  });
  return sending.stop;
}

/** Old letters and links are deleted once an hour. */
export const forgetting: ScheduledWork = {
  name: "old letters",
  schedule: { kind: "cron", cron: "10 * * * *", zone: "Etc/UTC" },
  async run({ database, clock }) {
    const now = clock.now();
    await store.forgetOld(database.system, now);
    await forgetDeadLinks(database.system, now);
  },
};
