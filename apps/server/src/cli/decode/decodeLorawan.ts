import { existsSync, readFileSync } from "node:fs";
import { meterModels } from "@metrum/catalogue";
import { fromHex, ProtocolError, type Decoded, type DecodedValue, type Span } from "@metrum/protocols/core";
import { decodeLorawan, lorawanCodecs } from "@metrum/protocols/lorawan";
import { fieldOf, isFieldName, units } from "@metrum/vocabulary";
import { answerOf, CodecPool } from "#metering/codecs";
import type { Answer, DecodeOptions } from "./decode.ts";
import { explainedField } from "./fieldWords.ts";
import { UsageError } from "../usage.ts";

/**
 * Decodes a LoRaWAN payload with a codec: a file (in the interpreter, with the limits of the server), a
 * built-in codec ("decentlab/dl-dlr2-002") or a model of the catalogue by its title ("SI-11 (water)").
 * Errors: UsageError for an unknown codec; a failing payload or codec is an answer.
 */
export async function decodePayload(hex: string, options: DecodeOptions): Promise<Answer> {
  const { codec, fport } = options;
  if (codec === undefined || fport === undefined)
    throw new UsageError("lorawan needs --codec FILE-or-MODEL and --fport N");
  const trace: Span[] | undefined = options.explain ? [] : undefined;
  try {
    const payload = fromHex(hex);
    const uplink = { payload, fport, trace };
    const decoded =
      decodeLorawan(codec, uplink) ?? byModel(codec, uplink) ?? (await byFile(codec, { payload, fport }));
    return trace ? { ...decoded, fields: trace.map(explainedField) } : decoded;
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return { error: { kind: error.kind, offset: error.offset ?? null, message: error.message } };
  }
}

interface Uplink {
  readonly payload: Uint8Array;
  readonly fport: number;
  readonly trace?: Span[] | undefined;
}

const speaking = meterModels.filter(({ driver }) => driver.kind === "uplink");
const fullTitle = ({ brand, title }: { brand: string; title: string }): string => `${brand} ${title}`;

/** The model of this title, with or without its brand, else the only one whose title begins like this. */
function modelNamed(wanted: string) {
  const names = speaking.map((model) => ({
    model,
    titles: [model.title, fullTitle(model)].map((each) => each.toLowerCase()),
  }));
  const exact = names.find(({ titles }) => titles.includes(wanted));
  const [first, ...more] = names.filter(({ titles }) => titles.some((each) => each.startsWith(wanted)));
  return exact?.model ?? (more.length === 0 ? first?.model : undefined);
}

function byModel(title: string, { payload, fport, trace }: Uplink): Decoded | undefined {
  const model = modelNamed(title.toLowerCase());
  if (model?.driver.kind !== "uplink") return undefined;
  const readings = model.driver.decode(payload, fport, { impulseWeight: 1, startingValue: 0 });
  trace?.push(...model.driver.explain(payload, fport));
  return {
    protocol: "lorawan",
    device: { codec: model.title, fport },
    readings: readings.flatMap(({ at, values }) =>
      Object.entries(values).map(([name, value]): DecodedValue => ({
        name,
        value,
        unit: isFieldName(name) ? units[fieldOf(name, model.resource).unit].en : "",
        ...(at === null ? {} : { time: new Date(at * 1000).toISOString() }),
      })),
    ),
    warnings: [],
  };
}

async function byFile(path: string, { payload, fport }: Uplink): Promise<Decoded> {
  if (!existsSync(path))
    throw new UsageError(
      `No file, model or codec "${path}", or several models begin so.\nModels: ${speaking.map(fullTitle).join(", ")}\nCodecs: ${lorawanCodecs.join(", ")}`,
    );
  const pool = new CodecPool();
  const outcome = await pool.run(
    { company: 0, codec: path },
    {
      call: "decodeUplink",
      source: readFileSync(path, "utf8"),
      bytes: [...payload],
      fPort: fport,
      recvTimeMs: Date.now(),
    },
  );
  await pool.close();
  const { data, warnings, errors } = answerOf(outcome);
  if (errors.length > 0) throw new ProtocolError("unexpected", errors.join("; "));
  return { protocol: "lorawan", device: { codec: path, fport }, readings: flat(data, ""), warnings };
}

/**
 * Every value of the answer under its name; nested names are joined by dots, and the convention {value, unit}
 * is one value.
 */
function flat(data: unknown, name: string): DecodedValue[] {
  if (typeof data !== "object" || data === null) {
    const isPlain = typeof data === "number" || typeof data === "string" || typeof data === "boolean";
    return name === "" ? [] : [{ name, value: isPlain ? data : null, unit: "" }];
  }
  if (name !== "" && "value" in data && "unit" in data && typeof data.unit === "string")
    return flat(data.value, name).map((value) => ({ ...value, unit: String(data.unit) }));
  return Object.entries(data).flatMap(([key, value]: [string, unknown]) =>
    flat(value, name === "" ? key : `${name}.${key}`),
  );
}
