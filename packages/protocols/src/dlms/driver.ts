import { messageTypeIds, type MessageTypeId } from "@metrum/vocabulary";
import { readTogether } from "../core/command.ts";
import type { Conversation } from "../core/conversation.ts";
import type { DeviceAddress, LineDriver, PollRequest } from "../core/driver.ts";
import { ProtocolError } from "../core/errors.ts";
import type { Reading } from "../core/reading.ts";
import { aesKeyForm, type SecretForms } from "../core/secretForms.ts";
import { archivesOf, inZoneOf } from "./session/archives.ts";
import { clientConformance } from "./session/association.ts";
import { dlmsCommands } from "./commands.ts";
import { explainStep, explainSteps } from "./decode/explainSteps.ts";
import { readFacts, readPublicFacts } from "./session/identify.ts";
import { isLost } from "./link/link.ts";
import { readClock } from "./objects/clock.ts";
import { readCurrent } from "./objects/current.ts";
import { readEvents } from "./objects/events.ts";
import { readProfile } from "./objects/profile.ts";
import { readRegisters, type Scales } from "./objects/registers.ts";
import { controllerOf, type Authentication, type DlmsOptions } from "./options.ts";
import { limitsOf, linkOf, proofFor } from "./session/proof.ts";
import { dlmsResponder } from "./responder/responder.ts";
import { withSession, type Session } from "./session/session.ts";

/** A driver whose sessions can also be used for other operations: clock, relay, limits, tariffs. */
export interface DlmsDriver extends LineDriver {
  readonly options: DlmsOptions;
  /** Runs `work` in a session with a device: association before, release after. Errors: ProtocolError. */
  readonly inSession: <Result>(
    device: DeviceAddress,
    work: (session: Session) => Conversation<Result>,
  ) => Conversation<Result>;
}

/**
 * Driver of a family of DLMS/COSEM meters.
 * Source: DLMS UA Green Book (HDLC, wrapper, association, services) and Blue Book (classes); the objects of
 * the meter are given by `options`.
 * Units: those of the vocabulary. `archive` of type 7 (journals) gives status_code = number of the journal in
 * the model's list x 1000 + code of the event; several events may have one second.
 * Errors: in the dialogue ProtocolError, "bad_password" with the meter's diagnostic, "unsupported" for an
 * archive that the model lacks.
 * Not supported: short names, mechanisms 2 to 4, 6 and 7, suites 1 and 2, dedicated keys, general block
 * transfer, windows over 1.
 */
export function dlms(options: DlmsOptions): DlmsDriver {
  const inSession: DlmsDriver["inSession"] = (device, work) => session(options, device, work);
  return {
    kind: "line",
    protocol: "dlms",
    options,
    archives: archivesOf(options),
    journals: (options.journals ?? []).map(({ name }) => name),
    secrets: secretsOf(options),
    ...factoryPasswordsOf(options),
    inSession,
    commands: {
      ...readTogether((device) =>
        inSession(device, (open) => poll(open, inZoneOf(options, device), { kind: "now" })),
      ),
      ...dlmsCommands(options, {
        reading: inSession,
        changing: (device, work) => session(controllerOf(options), device, work),
      }),
    },
    poll: (request, device) => {
      if (request.kind === "archive" && !keeps(options, request.msgType))
        throw new ProtocolError("unsupported", "the meter keeps no such archive");
      return inSession(device, (open) => poll(open, inZoneOf(options, device), request));
    },
    identify: (device, as) =>
      as === "open" ? readPublicFacts(options, device) : inSession(device, readFacts),
    namesSerial: true,
    respond: (device, state, now, history, takeOrder) =>
      dlmsResponder({ options: inZoneOf(options, device), device, state, now, history, takeOrder }),
    explain: (sent, received) => explainStep(options, { sent, received }),
    explainDialogue: (steps) => explainSteps(options, steps),
  };
}

const factoryPasswordsOf = ({ authentication }: DlmsOptions): Pick<DlmsDriver, "factoryPasswords"> =>
  authentication.kind === "lls" && authentication.default !== undefined
    ? { factoryPasswords: [new TextEncoder().encode(authentication.default)] }
    : {};

/** Secrets of the client that reads, and of the one that may change the meter. */
const secretsOf = (options: DlmsOptions): SecretForms => ({
  ...formsOf(options.authentication),
  ...formsOf(controllerOf(options).authentication),
});

/** A password of low-level security is any short text; keys have the length of suite 0. */
function formsOf(authentication: Authentication): SecretForms {
  switch (authentication.kind) {
    case "none":
      return {};
    case "lls":
      return { password: /^[\x20-\x7e]{1,64}$/ };
    case "gmac":
      return { encryption: aesKeyForm, authentication: aesKeyForm };
  }
}

function* session<Result>(
  options: DlmsOptions,
  device: DeviceAddress,
  work: (session: Session) => Conversation<Result>,
): Conversation<Result> {
  const proof = yield* proofFor(options, device);
  const { listSize, fixedInvokeId, isReleased } = options;
  return yield* withSession(
    {
      link: linkOf(options, device),
      limits: limitsOf(options),
      proof,
      ...(options.isGeneralProtection === true
        ? { conformance: [...clientConformance, "generalProtection"] as const }
        : {}),
      ...(listSize === undefined ? {} : { listSize }),
      ...(fixedInvokeId === undefined ? {} : { fixedInvokeId }),
      ...(isReleased === undefined ? {} : { isReleased }),
    },
    work,
  );
}

const keeps = ({ profiles = [], journals = [] }: DlmsOptions, msgType: number): boolean =>
  msgType === 7 ? journals.length > 0 : profiles.some((each) => each.msgType === msgType);

function* poll(open: Session, options: DlmsOptions, request: PollRequest): Conversation<Reading[]> {
  if (request.kind === "now") return yield* pollNow(open, options);
  if (request.msgType === 7) return yield* pollJournals(open, options, request);
  const { from, to } = request;
  const scales: Scales = new Map();
  const readings: Reading[] = [];
  for (const table of (options.profiles ?? []).filter(({ msgType }) => msgType === request.msgType))
    readings.push(
      ...(yield* readProfile(open, {
        table,
        resource: options.resource,
        clock: options.clock,
        scales,
        from,
        to,
      })),
    );
  return readings;
}

function* pollNow(open: Session, options: DlmsOptions): Conversation<Reading[]> {
  const current = yield* currentIfAny(open, options);
  if (current) return current;
  const meterAt = yield* clockIfAny(open, options);
  const { registers, resource } = options;
  const values = yield* readRegisters(open, { rows: registers, resource, scales: new Map() });
  return messageTypeIds
    .map((msgType) => ({ msgType, rows: registers.filter((row) => row.msgType === msgType) }))
    .map(({ msgType, rows }) => ({
      msgType,
      at: null,
      ...(meterAt === null ? {} : { meterAt }),
      values: Object.fromEntries(
        rows.flatMap(({ field }) => (values[field] === undefined ? [] : [[field, values[field]] as const])),
      ),
    }))
    .filter(({ values: own }) => Object.keys(own).length > 0);
}

/** Undefined when the meter has no such profile, or hides it. */
function* currentIfAny(open: Session, options: DlmsOptions): Conversation<Reading[] | undefined> {
  const { current, resource, clock } = options;
  if (!current) return undefined;
  try {
    return yield* readCurrent(open, { table: current, resource, clock });
  } catch (error) {
    if (!(error instanceof ProtocolError) || (error.kind !== "unsupported" && error.kind !== "refused"))
      throw error;
    return undefined;
  }
}

/** A meter that hides its clock is still read. */
function* clockIfAny(open: Session, { clock }: DlmsOptions): Conversation<number | null> {
  try {
    return yield* readClock(open, clock);
  } catch (error) {
    if (!(error instanceof ProtocolError) || isLost(error)) throw error;
    return null;
  }
}

const journalType = 7 satisfies MessageTypeId;
const journalFactor = 1000;

function* pollJournals(
  open: Session,
  { journals = [], clock }: DlmsOptions,
  { from, to, journal: wanted }: { from: number; to: number; journal?: number },
): Conversation<Reading[]> {
  if (wanted !== undefined && journals[wanted] === undefined)
    throw new ProtocolError("unsupported", "the meter keeps no such journal");
  const readings: Reading[] = [];
  for (const [index, journal] of journals.entries()) {
    if (wanted !== undefined && wanted !== index) continue;
    for (const { at, code } of yield* readEvents(open, { journal, clock, from, to }))
      if (at !== null)
        readings.push({
          msgType: journalType,
          at,
          meterAt: at,
          values: { status_code: index * journalFactor + code },
        });
  }
  return readings;
}
