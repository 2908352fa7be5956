import { secretKinds } from "@metrum/vocabulary";
import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { Id, IdText } from "../core/values.ts";
import { TabDefinition } from "./deviceModel.ts";

/** Settings supported by some models only. */
export const modelSettings = ["impulse_weight", "starting_value", "transformation_ratio"] as const;
export type ModelSetting = (typeof modelSettings)[number];

/** Special features of a model. */
export const modelRules = [
  "raw_payload",
  "always_controlled",
  "own_starting_value",
  "login",
  "vectors",
] as const;
/** Kinds of verification of a model's decoding; the simulator is the project's own. */
export const modelEvidence = ["simulator", "document", "software", "telegram", "meter"] as const;

const KeptArchive = z.object({
  msg_type: z.int(),
  period: z.union([z.int(), z.enum(["month", "events"])]).check(z.describe("seconds between its rows")),
  depth_days: z.int(),
});

/** The data sheet of a model of any kind; properties a kind lacks are null or empty. */
const ModelSheet = z.object({
  id: Id,
  kind: z.enum(["meter", "gateway", "base_station"]),
  title: z.string(),
  brand: z.string(),
  interface_ids: z.array(z.int()),
  device_group_id: z.nullable(z.int()),
  device_type_id: z.nullable(z.int()),
  protocol: z.nullable(z.string()),
  connection: z.nullable(z.enum(["dial_in", "tcp_client"])),
  fields: z.array(z.string()),
  tabs: z.record(z.string(), TabDefinition),
  controls: z.array(z.string()),
  secrets: z.array(z.enum(secretKinds)).check(z.describe("what its protocol can be configured to store")),
  settings: z.array(z.enum(modelSettings)).check(z.describe("settings of a device of this model")),
  archives: z.array(KeptArchive),
  profile_from: z.nullable(z.string()).check(z.describe("counter from which half-hour power is calculated")),
  counter_capacity: z.nullable(z.number()),
  rules: z.array(z.enum(modelRules)),
  evidence: z.array(z.enum(modelEvidence)),
  comparisons: z
    .array(z.object({ kind: z.enum(modelEvidence), source: z.string(), compared: z.string() }))
    .check(z.describe("independent sources that its decoding was compared with, in English")),
  sources: z.array(z.string()).check(z.describe("source of its recorded exchanges, in English")),
});
export type ModelSheet = z.infer<typeof ModelSheet>;

/**
 * Separate from the reference lists: data sheets are rarely opened, the lists are loaded by every session.
 */
export const modelSheets = {
  get: call({
    id: "model.get",
    method: "GET",
    path: "device/model/sheet/:model_id",
    right: null,
    reach: "common",
    isOwn: true,
    summary:
      "Data sheet of a model of any kind: what it measures, stores and supports, and what its decoding was verified with",
    params: z.object({ model_id: IdText }),
    reply: z.object({ model: ModelSheet }),
    problems: ["not_found"],
  }),
};
