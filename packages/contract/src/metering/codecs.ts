import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { BoundedObject, Id, IdText, listInput, Nothing, paged, Seconds } from "../core/values.ts";

/** Limits of a codec: characters of its text, mapped names, test payloads, bytes per payload. */
export const codecBounds = { source: 256 * 1024, fields: 200, payloads: 50, payloadBytes: 512 } as const;

const Source = z.string().check(z.minLength(1), z.maxLength(codecBounds.source));
const Payload = z
  .string()
  .check(
    z.maxLength(codecBounds.payloadBytes * 3),
    z.regex(/^(?:\s*[0-9a-fA-F]{2})*\s*$/),
    z.describe("hex"),
  );
const FPort = z.int().check(z.gte(0), z.lte(255));
const Name = z.string().check(z.trim(), z.minLength(1), z.maxLength(255));

const CodecField = z.object({
  name: z.string().check(z.maxLength(64), z.describe("field of the vocabulary, or time")),
  unit: z.string().check(z.maxLength(32), z.describe("unit of the decoded value; empty: that of the field")),
});
/** Target of a decoded name: a field of the vocabulary, and the unit used by the codec. */
export type CodecField = z.infer<typeof CodecField>;

const FieldMap = z
  .record(z.string().check(z.minLength(1), z.maxLength(128)), CodecField)
  .check(z.refine((map) => Object.keys(map).length <= codecBounds.fields, "size"));

const TestPayload = z.object({ payload: Payload, fport: FPort, expected: z.optional(BoundedObject) });
const TestPayloads = z.array(TestPayload).check(z.maxLength(codecBounds.payloads));

/** One version of the codec of a company for a model. */
const PayloadCodec = z.object({
  id: Id,
  name: z.string(),
  model_id: Id,
  company_id: Id,
  version: z.int(),
  is_active: z.boolean().check(z.describe("devices of the model are decoded with this version")),
  source_code: z
    .string()
    .check(z.describe("decodeUplink({bytes, fPort, recvTime}) returns {data, warnings, errors}")),
  field_map: FieldMap,
  test_payloads: z.array(TestPayload),
  created_at: Seconds,
  created_by: z.nullable(Id),
  last_failure: z
    .nullable(
      z.object({ at: Seconds, device_id: z.nullable(Id), device_name: z.string(), message: z.string() }),
    )
    .check(
      z.describe("the newest payload that this version could not decode; null: none since it was saved"),
    ),
});
export type PayloadCodec = z.infer<typeof PayloadCodec>;

const DecodedReading = z.object({
  name: z.string(),
  value: z.nullable(z.number()),
  unit: z.string(),
  time: z.nullable(Seconds),
});

export const codecs = {
  list: call({
    id: "codec.list",
    method: "POST",
    path: "device/codec/list",
    right: "4:read",
    reach: "company",
    summary: "Payload codecs of the company: all versions, by model, newest first",
    body: z.object({ model_id: z.optional(Id), page: listInput.page, per_page: listInput.per_page }),
    reply: z.object({ codecs: paged(PayloadCodec) }),
  }),
  save: call({
    id: "codec.save",
    method: "POST",
    path: "device/codec/save",
    right: "4:update|4:access_all",
    reach: "company",
    summary: "Saves a new version of the codec of a model; devices keep decoding with the active one",
    body: z.object({
      id: z.optional(Id).check(z.describe("the version that was edited; it is not changed")),
      name: Name,
      model_id: Id,
      is_active: z.optional(z.boolean()).check(z.describe("true: it becomes the active version")),
      source_code: Source,
      field_map: z.optional(FieldMap),
      test_payloads: z.optional(TestPayloads),
    }),
    reply: z.object({ codec: PayloadCodec }),
    problems: ["not_found", "codec_model", "demo_refused"],
  }),
  switch: call({
    id: "codec.switch",
    method: "PUT",
    path: "device/codec/switch/:id",
    right: "4:update|4:access_all",
    reach: "company",
    isOwn: true,
    summary: "Makes a saved version the active one of its model, or none",
    params: z.object({ id: IdText }),
    body: z.object({ is_active: z.boolean() }),
    reply: z.object({ codec: PayloadCodec }),
    problems: ["not_found", "demo_refused"],
  }),
  test: call({
    id: "codec.test",
    method: "POST",
    path: "device/codec/test",
    right: "4:update|4:access_all",
    reach: "company",
    summary: "Runs a codec on one payload with the limits of production and stores nothing",
    body: z.object({
      source_code: Source,
      payload: Payload,
      fport: FPort,
      model_id: z.optional(Id).check(z.describe("model whose resource determines the units")),
      field_map: z.optional(FieldMap),
    }),
    reply: z.object({
      data: z.unknown(),
      warnings: z.array(z.string()),
      errors: z.array(z.string()),
      duration_ms: z.number(),
      readings: z
        .array(DecodedReading)
        .check(z.describe("what would be stored, with pulse weight 1 and starting value 0")),
    }),
    problems: ["codec_model", "demo_refused"],
    perMinute: 120,
  }),
  delete: call({
    id: "codec.delete",
    method: "DELETE",
    path: "device/codec/:id",
    right: "4:delete|4:access_all",
    reach: "company",
    summary: "Deletes one version; without an active version the built-in decoder of the model is used",
    params: z.object({ id: IdText }),
    reply: Nothing,
    problems: ["not_found", "demo_refused"],
  }),
};

/** Served by the domain that receives uplinks. */
export const decodeAgain = {
  run: call({
    id: "codec.decodeAgain",
    method: "POST",
    path: "device/codec/decode_again",
    right: "4:update|4:access_all",
    reach: "branch",
    isOwn: true,
    summary:
      "Decodes the stored payloads of a device or of all devices of a model again, in batches; the results replace readings as corrected data",
    body: z.object({
      device_id: z.optional(Id),
      model_id: z.optional(Id),
      start_date: Seconds,
      stop_date: Seconds,
      after: z
        .optional(z.string().check(z.regex(/^\d{1,10}:\d{1,15}$/)))
        .check(z.describe("`next` of the preceding batch")),
    }),
    reply: z.object({
      payloads: z.int(),
      failed: z.int(),
      readings: z.int().check(z.describe("readings stored or replaced by this batch")),
      next: z.nullable(z.string()),
    }),
    problems: ["not_found", "demo_refused"],
  }),
};
