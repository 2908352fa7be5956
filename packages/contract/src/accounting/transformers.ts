import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { Id, IdText, Nothing, paged, Seconds } from "../core/values.ts";
import {
  CalendarDay,
  changeRefusals,
  Name,
  partyBounds,
  partyCreates,
  partyDeletes,
  partyListInput,
  partyPointsInput,
  partyReads,
  partyUpdates,
  pointsReply,
} from "../access/partyFields.ts";

export const transformerKinds = ["current", "voltage"] as const;

export const transformerSortFields = [
  "title",
  "kind",
  "ratio",
  "number",
  "accuracy_class",
  "verified_until",
  "created_at",
] as const;

/** A current or voltage transformer. */
export const Transformer = z.object({
  id: z.int(),
  title: z.string(),
  kind: z.enum(transformerKinds),
  primary_value: z.number().check(z.describe("amperes or volts")),
  secondary_value: z.number(),
  ratio: z.number().check(z.describe("primary by secondary value")),
  accuracy_class: z.string(),
  number: z.string(),
  verified_at: z.nullable(z.string()).check(z.describe("YYYY-MM-DD")),
  verified_until: z.nullable(z.string()).check(z.describe("YYYY-MM-DD")),
  point_count: z.int().check(z.describe("accounting points now")),
  created_at: Seconds,
});
export type Transformer = z.infer<typeof Transformer>;

/** In steps of a thousandth, as it is stored. */
const Value = z.number().check(
  z.positive(),
  z.lte(partyBounds.transformerValue),
  z.refine((value) => Number(value.toFixed(3)) === value, "format"),
);
const Kind = z.enum(transformerKinds);

const fields = {
  accuracy_class: z.optional(z.string().check(z.trim(), z.maxLength(20))),
  number: z.optional(z.string().check(z.trim(), z.maxLength(100))),
  verified_at: z.optional(z.nullable(CalendarDay)),
  verified_until: z.optional(z.nullable(CalendarDay)),
};

const reply = z.object({ transformer: Transformer });

/** Current and voltage transformers; accounting points have them for intervals of time. */
export const transformers = {
  list: call({
    id: "transformer.list",
    rows: "transformers.data",
    method: "POST",
    path: "reference/transformer/list",
    right: partyReads,
    reach: "branch",
    summary: "Transformers by title; searched in title and number",
    body: z.object({
      ...partyListInput,
      sort_field: z.optional(z.enum(transformerSortFields)),
      kind: z.optional(Kind),
    }),
    reply: z.object({ transformers: paged(Transformer) }),
  }),
  get: call({
    id: "transformer.get",
    isOwn: true,
    method: "GET",
    path: "reference/transformer/:id",
    right: partyReads,
    reach: "branch",
    summary: "One transformer",
    params: z.object({ id: IdText }),
    reply,
    problems: ["not_found"],
  }),
  points: call({
    id: "transformer.points",
    isOwn: true,
    rows: "points.data",
    method: "POST",
    path: "reference/transformer/points",
    right: partyReads,
    reach: "branch",
    summary: "Accounting points of a transformer now and before, by interval: the present ones first",
    body: z.object({ transformer_id: Id, ...partyPointsInput }),
    reply: pointsReply,
    problems: ["not_found"],
  }),
  create: call({
    id: "transformer.create",
    isOwn: true,
    method: "POST",
    path: "reference/transformer/create",
    right: partyCreates,
    reach: "company",
    summary: "Adds a transformer",
    body: z.object({ title: Name, kind: Kind, primary_value: Value, secondary_value: Value, ...fields }),
    reply,
    isOnce: true,
    problems: ["party_limit", ...changeRefusals],
  }),
  update: call({
    id: "transformer.update",
    isOwn: true,
    method: "PUT",
    path: "reference/transformer/update",
    right: partyUpdates,
    reach: "company",
    summary:
      "Changes the given fields of a transformer; kind and values only while the history of no accounting point names it",
    body: z.object({
      id: Id,
      title: z.optional(Name),
      kind: z.optional(Kind),
      primary_value: z.optional(Value),
      secondary_value: z.optional(Value),
      ...fields,
    }),
    reply,
    problems: ["not_found", "transformer_ratio_in_use", ...changeRefusals],
  }),
  delete: call({
    id: "transformer.delete",
    isOwn: true,
    method: "DELETE",
    path: "reference/transformer/:id",
    right: partyDeletes,
    reach: "company",
    summary: "Deletes a transformer that the history of no accounting point names",
    params: z.object({ id: IdText }),
    reply: Nothing,
    problems: ["not_found", "party_in_use", ...changeRefusals],
  }),
};
