import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { duties } from "../core/duties.ts";
import { Day, Id, Seconds } from "../core/values.ts";
import { Module } from "./users.ts";

export const PasswordMinLength = z.int().check(z.gte(8), z.lte(64));

/** Longest gap over an end of a month that is divided evenly, where a company wants that. */
export const dividedGapDays = 100;

export const DividesGapsFrom = z
  .nullable(Day)
  .check(
    z.describe(
      "gaps over an end of a month that begin on this day or later are divided evenly, as an estimate",
    ),
  );
export const PeakHoursZone = z.enum(["price_0", "price_1", "manual"]);

const Hour = z.int().check(z.gte(0), z.lte(24));
const Range = z.object({
  start: Hour,
  stop: Hour.check(z.describe("the first hour after the range")),
});
export type PeakRange = z.infer<typeof Range>;

/**
 * Peak hours of the working days of a month, in hours of the company's zone. Saturday and Sunday have none.
 */
export const PeakHours = z.object({
  month: z.int().check(z.gte(1), z.lte(12)),
  ranges: z.array(Range).check(z.maxLength(2)),
});
export type PeakHours = z.infer<typeof PeakHours>;

/**
 * A company: dealer, ordinary or demonstration. `time_zone` is the present hour offset of the stored zone.
 */
export const Company = z.object({
  id: Id,
  parent_id: z.nullable(Id).check(z.describe("the parent company, if visible")),
  name: z.string(),
  company_type_id: z.int(),
  inn: z.string(),
  phone_number: z.nullable(z.string()),
  time_zone: z.number(),
  timezone_name: z.string().check(z.describe("IANA zone")),
  is_dealer: z.boolean(),
  is_demo: z.boolean(),
  is_active: z.boolean(),
  expires_at: z.nullable(Seconds),
  options: z.object({
    only_api: z.boolean().check(z.describe("its users may use the API only, not the web app")),
    peak_hours_zone: PeakHoursZone,
    peak_hours_region: z.int().check(z.describe("region whose default peak hours apply")),
    two_factor_required: z.boolean().check(z.describe("every user must set up two-factor authentication")),
    password_min_length: PasswordMinLength,
    divides_gaps_from: DividesGapsFrom,
  }),
  peak_hours: z.array(PeakHours).check(z.describe("the company's own list, used if the zone is `manual`")),
  active_modules: z.array(Module).check(z.describe("in the order of the menu")),
});
export type Company = z.infer<typeof Company>;

/**
 * The company a session works in: needed at the start of every screen, so it is separate from the calls of
 * its own screens.
 */
export const currentCompany = {
  own: call({
    id: "user.company",
    method: "GET",
    path: "user/company",
    right: null,
    reach: "common",
    summary: "The company of the session",
    serves: duties,
    reply: z.object({ company: Company }),
  }),
};
