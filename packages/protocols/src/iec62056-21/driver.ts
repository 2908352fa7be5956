import { readTogether } from "../core/command.ts";
import type { Conversation } from "../core/conversation.ts";
import type { DeviceAddress, DeviceMetadata, LineDriver, PollRequest } from "../core/driver.ts";
import { ProtocolError } from "../core/errors.ts";
import { withWarnings, type Reading } from "../core/reading.ts";
import { leftOutWords, parseDataLines, readWholeLines, type DataSet } from "./dataLine.ts";
import { explainIec } from "./decode.ts";
import type { IecLine } from "./exchange.ts";
import type { IecOptions } from "./options.ts";
import { inProgramming, readValue } from "./programming.ts";
import { absentRows, iecReadings, type IecPlan } from "./readings.ts";
import { iecResponder } from "./responder.ts";
import { nameOf, readOut } from "./signOn.ts";

/**
 * Driver of a family of meters that speak IEC 62056-21 in mode C (also A and B).
 * Source: IEC 62056-21:2002. Addresses: `insideAddr` is the address of the sign-on, up to 32 characters
 * without `/?!`, empty for a meter alone.
 * Units: those of the vocabulary. Readings: counters, states, and billing values of months where the read-out
 * has them.
 * Errors: ProtocolError "timeout", "checksum" after 3 repeats, "bad_password", "refused" with the number of
 * `(ERRnn)`, "unsupported" for an archive that the read-out does not have, "unexpected".
 */
export function iec62056(options: IecOptions): LineDriver {
  const plan: IecPlan = { ...options, utcOffsetMinutes: options.utcOffsetMinutes ?? 0 };
  return {
    kind: "line",
    protocol: "iec62056-21",
    archives: options.billing ? [billingArchive] : [],
    ...(options.access === "readout" ? {} : { secrets: { password: passwordForm } }),
    ...factoryPasswordsOf(options),
    commands: readTogether((device) =>
      poll(options, inZoneOf(plan, device), { request: { kind: "now" }, device }),
    ),
    poll: (request, device) => poll(options, inZoneOf(plan, device), { request, device }),
    identify: (device) => identify(options, device),
    respond: (device, state, now) =>
      iecResponder({ options, plan: inZoneOf(plan, device), device, state, now }),
    explain: (sent, received) => ({ sent: explainIec(sent), received: explainIec(received) }),
  };
}

const factoryPasswordsOf = ({ access }: IecOptions): Pick<LineDriver, "factoryPasswords"> =>
  access === "readout" || access.password === undefined
    ? {}
    : { factoryPasswords: [new TextEncoder().encode(access.password)] };

/**
 * A data set: 32 printable characters at most, without those that frame it. Source: IEC 62056-21:2002, 6.5
 * [length from memory].
 */
const passwordForm = /^[^\P{ASCII}\p{Cc}()/!]{1,32}$/u;

/** Read-outs number at most 15 past periods [from experience with manufacturers' manuals]. */
const billingArchive = { msgType: 103, period: "month", depthSec: 15 * 31 * 86_400 } as const;

const inZoneOf = (plan: IecPlan, { utcOffsetMinutes }: DeviceAddress): IecPlan =>
  utcOffsetMinutes === undefined ? plan : { ...plan, utcOffsetMinutes };

/** Line of a device. Errors: ProtocolError "unexpected" for an address that cannot be sent. */
export function iecLineOf(
  device: DeviceAddress,
  options: Pick<IecOptions, "fixedBaud" | "evenParity" | "check" | "hasBareErrors">,
): IecLine {
  const address = device.insideAddr.trim();
  if (!/^[0-9A-Za-z ]{0,32}$/.test(address))
    throw new ProtocolError("unexpected", "the address is not of letters and digits");
  const { evenParity, check, hasBareErrors } = options;
  const fixedBaud = device.fixedBaud ?? options.fixedBaud;
  return {
    address,
    ...(fixedBaud === undefined ? {} : { fixedBaud }),
    ...(evenParity === undefined ? {} : { evenParity }),
    ...(check === undefined ? {} : { check }),
    ...(hasBareErrors === undefined ? {} : { hasBareErrors }),
  };
}

function* poll(
  options: IecOptions,
  plan: IecPlan,
  { request, device }: { request: PollRequest; device: DeviceAddress },
): Conversation<Reading[]> {
  if (request.kind === "archive" && (request.msgType !== 103 || !plan.billing))
    throw new ProtocolError("unsupported", "the meter keeps no such archive");
  const { sets, refused, warnings: broken } = yield* readSets(options, device);
  const readings = iecReadings(plan, sets);
  if (readings.length === 0)
    throw new ProtocolError("unexpected", "nothing that the model names is in the answer");
  if (request.kind === "now") {
    const absent = options.access === "readout" ? [] : notGiven(plan, { sets, refused });
    return withWarnings(
      readings.filter(({ msgType }) => msgType < 100),
      [...broken, ...absent],
    );
  }
  const { from, to } = request;
  return readings.filter(({ msgType, at }) => msgType === 103 && at !== null && at >= from && at < to);
}

/**
 * The same with and without a password. The version is the part after a v in the type: "CE301v11".
 */
function* identify(options: IecOptions, device: DeviceAddress): Conversation<DeviceMetadata> {
  const { manufacturer, type } = yield* nameOf(iecLineOf(device, options));
  const version = /v\.?\s*(\d[\d.]*)/i.exec(type)?.[1];
  return { name: `${manufacturer} ${type}`.trim(), ...(version === undefined ? {} : { version }) };
}

/** Answered and refused values of a meter, by requested address. */
interface Answered {
  readonly sets: readonly DataSet[];
  readonly refused: ReadonlyMap<string, ProtocolError>;
  /** Lines of a read-out that could not be read. */
  readonly warnings: readonly string[];
}

/** Quantities of the model that were requested individually and not returned. */
function notGiven(plan: IecPlan, { sets, refused }: Omit<Answered, "warnings">): string[] {
  const absent = absentRows(plan, sets).filter(({ obis }) => !refused.has(obis));
  const places = absent.map(
    ({ obis, field, index, part }) => `${obis} [${String((part ?? index ?? 0) + 1)}] (${field})`,
  );
  const refusals = [...refused].map(([address, { message }]) => `${address} (${message})`);
  return [
    ...(places.length === 0 ? [] : [`not in the answer of the meter: ${places.join(", ")}`]),
    ...(refusals.length === 0 ? [] : [`refused by the meter: ${refusals.join(", ")}`]),
  ];
}

function* readSets({ access, ...options }: IecOptions, device: DeviceAddress): Conversation<Answered> {
  const line = iecLineOf(device, options);
  if (access === "readout") {
    const lines = readWholeLines((yield* readOut(line)).text);
    return { sets: lines.sets, refused: new Map(), warnings: leftOutWords(lines) };
  }
  const password = device.password ?? access.password;
  return yield* inProgramming(line, password === undefined ? {} : { password }, () =>
    readEach(line, access.reads),
  );
}

/**
 * Refused values are omitted; it is a failure only if everything is refused. An answer without an address
 * belongs to the requested one.
 */
function* readEach(line: IecLine, reads: readonly string[]): Conversation<Answered> {
  const sets: DataSet[] = [];
  const refused = new Map<string, ProtocolError>();
  for (const data of reads) {
    const requested = data.replace(/\(.*/s, "");
    try {
      const answer = parseDataLines(yield* readValue(line, data));
      sets.push(...answer.map((set) => (set.address === "" ? { ...set, address: requested } : set)));
    } catch (error) {
      if (!(error instanceof ProtocolError) || error.kind !== "refused") throw error;
      refused.set(requested, error);
    }
  }
  const [failure] = refused.values();
  if (sets.length === 0 && failure) throw failure;
  return { sets, refused, warnings: [] };
}
