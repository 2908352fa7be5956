import { modelById } from "@metrum/catalogue";
import { ProtocolError, type PulseScale, type Reading } from "@metrum/protocols/core";
import type { Services } from "#core";
import { mapAnswer, type Mapping } from "./mapping.ts";
import type { Outcome } from "./sandbox/order.ts";
import type { ActiveCodec } from "./store.ts";

export interface Uplink {
  readonly bytes: Uint8Array;
  readonly fPort: number;
  /** Epoch seconds UTC. */
  readonly receivedAt: number;
}

interface Owner {
  readonly companyId: number;
  readonly scale: PulseScale;
  /** Stored payloads have lower priority than incoming ones. */
  readonly isRedecoding?: boolean;
}

export interface CodecReadings {
  readonly readings: readonly Reading[];
  readonly warnings: readonly string[];
}

/**
 * Decodes a payload with the codec of the company. Errors: ProtocolError "unexpected", in the words of the
 * codec.
 */
export async function decodeWith(
  services: Services,
  codec: ActiveCodec,
  uplink: Uplink,
  { companyId, scale, isRedecoding }: Owner,
): Promise<CodecReadings> {
  const lane = { company: companyId, codec: `${codec.id}${isRedecoding ? " again" : ""}` };
  const outcome = await services.parts.codecs.pool.run(lane, {
    call: "decodeUplink",
    source: codec.source,
    bytes: [...uplink.bytes],
    fPort: uplink.fPort,
    recvTimeMs: uplink.receivedAt * 1000,
  });
  const { readings, warnings, errors } = readOutcome(
    outcome,
    mappingOf(codec.modelId, codec.fieldMap, scale),
  );
  const [error] = errors;
  if (error !== undefined)
    throw new ProtocolError("unexpected", `codec ${codec.name}, version ${codec.version}: ${error}`);
  return { readings, warnings };
}

export function mappingOf(
  modelId: number | undefined,
  fieldMap: Mapping["fieldMap"],
  scale: PulseScale,
): Mapping {
  const model = modelId === undefined ? undefined : modelById(modelId);
  const meter = model?.kind === "meter" ? model : undefined;
  return {
    fieldMap,
    scale,
    resource: meter?.resource ?? "electricity",
    fields: meter?.fields ?? [],
    main: meter?.pulses?.main,
  };
}

/** The validated answer of a codec, which is untrusted before. */
export interface Answer {
  readonly data: unknown;
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
}

/**
 * An answer with its readings. A value too large for its field is an error of the codec like those it reports
 * itself.
 */
export function readOutcome(outcome: Outcome, mapping: Mapping): Answer & CodecReadings {
  const answer = answerOf(outcome);
  if (answer.errors.length > 0) return { ...answer, readings: [] };
  try {
    const { readings, warnings } = mapAnswer(answer.data, mapping);
    return { ...answer, readings, warnings: [...answer.warnings, ...warnings] };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return { ...answer, errors: [error.message], readings: [] };
  }
}

export function answerOf(outcome: Outcome): Answer {
  if (outcome.kind === "failed") return { data: null, warnings: [], errors: [outcome.message] };
  const given = parse(outcome.text);
  if (typeof given !== "object" || given === null)
    return { data: null, warnings: [], errors: ["the codec answers no object"] };
  const { data, warnings, errors }: Readonly<Record<string, unknown>> = { ...given };
  const reported = texts(errors);
  const isEmpty = typeof data !== "object" || data === null;
  if (isEmpty && reported.length === 0) reported.push("the codec answers no data");
  return { data: isEmpty ? null : data, warnings: texts(warnings), errors: reported };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A few lines of text from any value. */
function texts(given: unknown): string[] {
  const list: readonly unknown[] = Array.isArray(given)
    ? given
    : given === undefined || given === null
      ? []
      : [given];
  return list
    .slice(0, 20)
    .map((each) => (typeof each === "string" ? each : JSON.stringify(each)).slice(0, 500));
}
