import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { IdText, Nothing, paged, Seconds, ShortText } from "../core/values.ts";
import {
  CalendarDay,
  changeRefusals,
  Inn,
  Name,
  partyCreates,
  partyDeletes,
  PartyEmail,
  PartyId,
  partyListInput,
  partyPointsInput,
  partyReads,
  partyUpdates,
  pointsReply,
} from "./partyFields.ts";

export const supplierSortFields = [
  "name",
  "inn",
  "number_of_contract",
  "email",
  "report_date",
  "created_at",
] as const;

export const Supplier = z.object({
  _id: z.string(),
  name: z.string(),
  inn: z.string(),
  number_of_contract: z.string(),
  email: z.string(),
  report_date: z.nullable(z.string()).check(z.describe("YYYY-MM-DD")),
  point_count: z.int().check(z.describe("accounting points now")),
  created_at: Seconds,
});
export type Supplier = z.infer<typeof Supplier>;

const fields = {
  inn: z.optional(Inn),
  number_of_contract: z.optional(ShortText),
  email: z.optional(PartyEmail),
  report_date: z.optional(z.nullable(CalendarDay)),
};

const reply = z.object({ supplier: Supplier });

/** Suppliers of the resources that accounting points measure. */
export const suppliers = {
  list: call({
    id: "supplier.list",
    rows: "suppliers.data",
    method: "POST",
    path: "reference/supplier/list",
    right: partyReads,
    reach: "branch",
    summary: "Suppliers by name; searched in name, inn, contract and e-mail",
    body: z.object({ ...partyListInput, sort_field: z.optional(z.enum(supplierSortFields)) }),
    reply: z.object({ suppliers: paged(Supplier) }),
  }),
  get: call({
    id: "supplier.get",
    method: "GET",
    path: "reference/supplier/:id",
    right: partyReads,
    reach: "branch",
    summary: "One supplier",
    params: z.object({ id: IdText }),
    reply,
    problems: ["not_found"],
  }),
  points: call({
    id: "supplier.points",
    isOwn: true,
    rows: "points.data",
    method: "POST",
    path: "reference/supplier/points",
    right: partyReads,
    reach: "branch",
    summary: "Accounting points of a supplier now and before, by interval: the present ones first",
    body: z.object({ supplier_id: PartyId, ...partyPointsInput }),
    reply: pointsReply,
    problems: ["not_found"],
  }),
  create: call({
    id: "supplier.create",
    method: "POST",
    path: "reference/supplier/create",
    right: partyCreates,
    reach: "company",
    summary: "Adds a supplier",
    body: z.object({ name: Name, ...fields }),
    reply,
    isOnce: true,
    problems: ["party_limit", ...changeRefusals],
  }),
  update: call({
    id: "supplier.update",
    method: "PUT",
    path: "reference/supplier/update",
    right: partyUpdates,
    reach: "company",
    summary: "Changes the given fields of a supplier",
    body: z.object({ _id: PartyId, name: z.optional(Name), ...fields }),
    reply,
    problems: ["not_found", ...changeRefusals],
  }),
  delete: call({
    id: "supplier.delete",
    method: "DELETE",
    path: "reference/supplier/:id",
    right: partyDeletes,
    reach: "company",
    summary: "Deletes a supplier that the history of no accounting point names",
    params: z.object({ id: IdText }),
    reply: Nothing,
    problems: ["not_found", "party_in_use", ...changeRefusals],
  }),
};
