import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { IdText, Nothing, paged, Seconds, ShortText } from "../core/values.ts";
import {
  CalendarDay,
  changeRefusals,
  Inn,
  Name,
  partyBounds,
  partyCreates,
  partyDeletes,
  PartyEmail,
  PartyId,
  partyListInput,
  PartyPhone,
  PartyPoint,
  partyPointsInput,
  partyReads,
  partyUpdates,
  pointsReply,
} from "./partyFields.ts";

const SubjectTypeId = z.int().check(
  z.refine((id) => id === 1 || id === 2, "range"),
  z.describe("1 person, 2 organisation"),
);

export const consumerSortFields = [
  "name",
  "inn",
  "number_of_contract",
  "address",
  "subject_type_id",
  "created_at",
] as const;

/** A consumer; fields of the other subject type are null. */
export const Consumer = z.object({
  _id: z.string(),
  name: z.string(),
  inn: z.string(),
  number_of_contract: z.string(),
  subject_type_id: z.int(),
  address: z.string(),
  comment: z.string(),
  registration_date: z.nullable(z.string()).check(z.describe("YYYY-MM-DD; organisations only")),
  registration_number: z.nullable(z.string()).check(z.describe("organisations only")),
  phone_number: z.nullable(z.string()).check(z.describe("persons only")),
  email: z.nullable(z.string()).check(z.describe("persons only")),
  account_access_enabled: z.boolean(),
  measurement_code_object: z.string(),
  point_count: z.int().check(z.describe("accounting points now")),
  created_at: Seconds,
  erased_at: z.nullable(Seconds).check(z.describe("since then its data are erased; it cannot be changed")),
});
export type Consumer = z.infer<typeof Consumer>;

const ofOrganisations = z.describe("organisations only; cleared when the type becomes 1");
const ofPersons = z.describe("persons only; cleared when the type becomes 2");

const fields = {
  inn: z.optional(Inn),
  number_of_contract: z.optional(ShortText),
  address: z.optional(z.string().check(z.trim(), z.maxLength(partyBounds.address))),
  comment: z.optional(z.string().check(z.trim(), z.maxLength(partyBounds.comment))),
  registration_date: z.optional(z.nullable(CalendarDay)).check(ofOrganisations),
  registration_number: z.optional(z.nullable(ShortText)).check(ofOrganisations),
  phone_number: z.optional(z.nullable(PartyPhone)).check(ofPersons),
  email: z.optional(z.nullable(PartyEmail)).check(ofPersons),
  account_access_enabled: z.optional(z.boolean()).check(z.describe("false unless set")),
  measurement_code_object: z.optional(ShortText),
};

const reply = z.object({ consumer: Consumer });

/** Everything that is stored about a consumer. */
const ConsumerExport = z.object({
  made_at: Seconds,
  consumer: Consumer,
  points: z.array(PartyPoint).check(z.describe("their accounting points, by interval")),
  days: z
    .array(
      z.object({
        accounting_point_id: z.int(),
        field: z.string(),
        day: z.string(),
        amount: z.nullable(z.string()).check(z.describe("in the unit of the point, exact")),
      }),
    )
    .check(z.describe("consumption of the days that lie wholly in their intervals, the latest first")),
  changes: z
    .array(z.object({ at: Seconds, action: z.string() }))
    .check(z.describe("made to their record, the latest first")),
  is_complete: z.boolean().check(z.describe("false: a list was cut at its bound")),
});
export type ConsumerExport = z.infer<typeof ConsumerExport>;

/** Consumers: the persons and organisations that accounting points belong to. */
export const consumers = {
  list: call({
    id: "consumer.list",
    rows: "consumers.data",
    method: "POST",
    path: "reference/consumer/list",
    right: partyReads,
    reach: "branch",
    summary: "Consumers by name; searched in name, inn, contract and address",
    body: z.object({
      ...partyListInput,
      sort_field: z.optional(z.enum(consumerSortFields)),
      subject_type_id: z.optional(SubjectTypeId),
    }),
    reply: z.object({ consumers: paged(Consumer) }),
  }),
  get: call({
    id: "consumer.get",
    method: "GET",
    path: "reference/consumer/:id",
    right: partyReads,
    reach: "branch",
    summary: "One consumer",
    params: z.object({ id: IdText }),
    reply,
    problems: ["not_found"],
  }),
  points: call({
    id: "consumer.points",
    isOwn: true,
    rows: "points.data",
    method: "POST",
    path: "reference/consumer/points",
    right: partyReads,
    reach: "branch",
    summary: "Accounting points of a consumer now and before, by interval: the present ones first",
    body: z.object({ consumer_id: PartyId, ...partyPointsInput }),
    reply: pointsReply,
    problems: ["not_found"],
  }),
  create: call({
    id: "consumer.create",
    method: "POST",
    path: "reference/consumer/create",
    right: partyCreates,
    reach: "company",
    summary: "Adds a consumer",
    body: z.object({ name: Name, subject_type_id: SubjectTypeId, ...fields }),
    reply,
    isOnce: true,
    problems: ["party_limit", ...changeRefusals],
  }),
  update: call({
    id: "consumer.update",
    method: "PUT",
    path: "reference/consumer/update",
    right: partyUpdates,
    reach: "company",
    summary: "Changes the given fields of a consumer; another type clears the fields of the former one",
    body: z.object({
      _id: PartyId,
      name: z.optional(Name),
      subject_type_id: z.optional(SubjectTypeId),
      ...fields,
    }),
    reply,
    problems: ["not_found", "consumer_erased", ...changeRefusals],
  }),
  delete: call({
    id: "consumer.delete",
    method: "DELETE",
    path: "reference/consumer/:id",
    right: partyDeletes,
    reach: "company",
    summary: "Deletes a consumer that the history of no accounting point names",
    params: z.object({ id: IdText }),
    reply: Nothing,
    problems: ["not_found", "party_in_use", ...changeRefusals],
  }),
  export: call({
    id: "consumer.export",
    isOwn: true,
    method: "POST",
    path: "reference/consumer/export",
    right: partyReads,
    reach: "branch",
    summary: "All data stored about a consumer, on their request",
    body: z.object({ consumer_id: PartyId }),
    reply: z.object({ export: ConsumerExport }),
    problems: ["not_found"],
  }),
  erase: call({
    id: "consumer.erase",
    isOwn: true,
    method: "POST",
    path: "reference/consumer/erase",
    right: partyDeletes,
    reach: "company",
    summary:
      "Erases the data of a consumer on their request: every field is emptied, a number replaces the name; the history of points stays. It cannot be undone",
    body: z.object({ consumer_id: PartyId }),
    reply,
    problems: ["not_found", ...changeRefusals],
  }),
};

export const subjects = {
  types: call({
    id: "subject.types",
    method: "GET",
    path: "reference/subject/types",
    right: null,
    reach: "common",
    summary: "Types of consumers: person and organisation",
    reply: z.object({ subject_types: z.array(z.object({ id: z.int(), title: z.string() })) }),
  }),
};
