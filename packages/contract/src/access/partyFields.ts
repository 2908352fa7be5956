import type { Text } from "@metrum/vocabulary";
import { z } from "zod/mini";
import { emailPattern } from "../core/email.ts";
import { isInn } from "../core/inn.ts";
import { isPhone } from "../core/phone.ts";
import { Id, IdText, listInput, paged, Seconds, ShortText } from "../core/values.ts";

/** Bounds of the directories of one company. */
export const partyBounds = {
  consumers: 200_000,
  suppliers: 10_000,
  transformers: 200_000,
  comment: 2_000,
  address: 500,
  /** Largest primary or secondary value of a transformer, in volts or amperes. */
  transformerValue: 1_000_000,
  /** Intervals at points, days of consumption and changes in one export of a consumer. */
  exported: 10_000,
} as const;

const title = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });

/** Kinds of consumers; fields of the one are refused for the other. */
export const subjectTypes = [
  { id: 1, title: title("Физическое лицо", "Person", "Хувь хүн") },
  { id: 2, title: title("Юридическое лицо", "Organisation", "Байгууллага") },
] as const;
export const subjectPerson = 1;
export const subjectOrganisation = 2;

/** Id of a consumer or supplier: a text on the wire, a number in the database; both are accepted. */
export const PartyId = z.union([IdText, Id]);

export const Name = ShortText.check(z.minLength(1));
export const Inn = z
  .string()
  .check(
    z.trim(),
    z.maxLength(255),
    z.refine(isInn, "inn"),
    z.describe("taxpayer number: 10 or 12 digits, or empty"),
  );
export const PartyEmail = z.string().check(
  z.trim(),
  z.maxLength(255),
  z.refine((text) => text === "" || emailPattern.test(text), "email"),
);
export const PartyPhone = z.string().check(z.trim(), z.maxLength(255), z.refine(isPhone, "phone"));

/** A calendar day that the database can store. */
export const CalendarDay = z.iso
  .date()
  .check(z.refine((day) => day >= "1800-01-01" && day <= "2999-12-31", "range"));

/** Paging and search in both spellings. */
export const partyListInput = {
  paginate: z.optional(z.boolean()).check(z.describe("false: one page of at most 10,000 rows")),
  page: listInput.page,
  per_page: listInput.per_page,
  perPage: listInput.per_page,
  search: listInput.search_string,
  search_string: listInput.search_string,
  sort: listInput.sort,
};

/** An interval of time in which a point was of a consumer or supplier, or had a transformer. */
export const PartyPoint = z.object({
  accounting_point_id: z.int(),
  name: z.string(),
  address: z.string(),
  resource_type_id: z.int(),
  timezone: z.string(),
  from_ts: Seconds,
  to_ts: z.nullable(Seconds).check(z.describe("exclusive; null: still")),
  device_id: z.nullable(z.int()).check(z.describe("that measured the point last in the interval")),
  device_name: z.nullable(z.string()),
});
export type PartyPoint = z.infer<typeof PartyPoint>;

export const partyPointsInput = {
  page: listInput.page,
  per_page: listInput.per_page,
  perPage: listInput.per_page,
};

export const pointsReply = z.object({ points: paged(PartyPoint) });

export const partyReads = "6:read";
export const partyCreates = "6:create";
export const partyUpdates = "6:update";
export const partyDeletes = "6:delete";

/** Refusals of every change. */
export const changeRefusals = ["tied_devices_only", "demo_refused"] as const;
