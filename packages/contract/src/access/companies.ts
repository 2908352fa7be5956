import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { Id, IdText, listInput, Nothing, paged, Seconds } from "../core/values.ts";
import { Company, DividesGapsFrom, PasswordMinLength, PeakHoursZone } from "./company.ts";

const Name = z.string().check(z.trim(), z.minLength(1), z.maxLength(255));
const Inn = z.string().check(z.trim(), z.maxLength(20));
const Phone = z.string().check(z.trim(), z.maxLength(20));

/** A company in the tree; counts include the companies below. */
const CompanyInTree = z.extend(Company, {
  depth: z.int().check(z.describe("levels below one's own company")),
  children_count: z.int().check(z.describe("companies directly below")),
  device_count: z.int().check(z.describe("devices outside the trash")),
  user_count: z.int(),
  last_sign_in_at: z.nullable(Seconds),
  deleted_at: z.nullable(Seconds),
});
export type CompanyInTree = z.infer<typeof CompanyInTree>;

/** Days before the expiry of a company from which it counts as near. */
export const endingDays = 30;

/** States by which a list is filtered: expiring soon, expired, switched off, demonstration, deleted. */
export const companyStates = ["ending", "expired", "off", "demo", "deleted"] as const;
export type CompanyState = (typeof companyStates)[number];

const OwnOptions = z.object({
  peak_hours_zone: z.optional(PeakHoursZone),
  peak_hours_region: z.optional(z.int().check(z.positive(), z.lte(10_000))),
  two_factor_required: z.optional(z.boolean()),
  password_min_length: z.optional(PasswordMinLength),
  divides_gaps_from: z.optional(DividesGapsFrom),
});

/** Fields that an administrator may change of one's own company. An offset outside -12 to 12 is ignored. */
const CompanyFields = z.object({
  name: z.optional(Name),
  company_type_id: z.optional(z.int().check(z.gte(1), z.lte(100))),
  inn: z.optional(Inn),
  phone_number: z.optional(z.nullable(Phone)),
  time_zone: z.optional(z.nullable(z.number())),
  timezone_name: z.optional(z.string().check(z.maxLength(60))),
  options: z.optional(OwnOptions),
});
export type CompanyFields = z.infer<typeof CompanyFields>;

/** Additional fields that the company above decides. `is_demo` is accepted from provider staff only. */
const BranchFields = z.extend(CompanyFields, {
  is_dealer: z.optional(z.boolean()),
  is_demo: z.optional(z.boolean()),
  options: z.optional(z.extend(OwnOptions, { only_api: z.optional(z.boolean()) })),
  active_modules: z.optional(
    z
      .array(z.object({ slug: z.string().check(z.maxLength(60)) }))
      .check(z.maxLength(20), z.describe("in the order of the menu; only modules of the parent company")),
  ),
  expires_at: z.optional(z.nullable(Seconds)),
});
export type BranchFields = z.infer<typeof BranchFields>;

export const companySortFields = ["id", "name", "inn", "expires_at", "is_active", "is_dealer"] as const;

export const companies = {
  types: call({
    id: "company.types",
    method: "GET",
    path: "company/types",
    right: null,
    reach: "common",
    summary: "Types of companies",
    reply: z.object({ company_types: z.array(z.object({ id: z.int(), title: z.string() })) }),
  }),
  update: call({
    id: "company.update",
    method: "PUT",
    path: "company",
    right: "admin",
    reach: "company",
    summary: "Changes one's own company; the fields are at the top level or under company",
    body: z.extend(CompanyFields, { company: z.optional(CompanyFields) }),
    reply: z.object({ company: Company }),
    problems: ["demo_refused", "token_refused"],
  }),
  list: call({
    id: "company.list",
    rows: "companies.data",
    method: "POST",
    path: "company/list",
    right: "2:read",
    reach: "company",
    summary: "One's own company and all below it, or only those directly below parent_id",
    body: z.object({
      ...listInput,
      sort_field: z.optional(z.enum(companySortFields)),
      paginate: z.optional(z.boolean()),
      parent_id: z.optional(Id),
      state: z.optional(z.enum(companyStates)),
    }),
    reply: z.object({
      companies: paged(CompanyInTree),
      parent: z.nullable(CompanyInTree).check(z.describe("the company with the id parent_id")),
      states: z
        .record(z.enum(["all", ...companyStates]), z.int())
        .check(z.describe("companies of the whole branch by state")),
    }),
    problems: ["not_found"],
  }),
  create: call({
    id: "company.create",
    method: "POST",
    path: "company/create",
    right: "2:create",
    reach: "company",
    summary: "Creates a company below one's own, with its active modules",
    body: z.extend(BranchFields, {
      name: Name,
      parent_id: z.optional(Id).check(z.describe("a dealer of the branch; default: one's own company")),
    }),
    reply: z.object({ company: Company }),
    isOnce: true,
    problems: ["not_found", "not_a_dealer", "demo_refused", "token_refused"],
  }),
  editById: call({
    id: "company.editById",
    method: "PUT",
    path: "company/:id",
    right: "2:update",
    reach: "company",
    summary: "Changes a company below one's own",
    params: z.object({ id: IdText }),
    body: BranchFields,
    reply: z.object({ company: Company }),
    problems: ["not_found", "own_company", "companies_below", "demo_refused", "token_refused"],
  }),
  switch: call({
    id: "company.switch",
    method: "PUT",
    path: "company/switch/:id",
    right: "2:update",
    reach: "company",
    summary: "Switches a company below one's own on or off; its open sessions end at once",
    params: z.object({ id: IdText }),
    body: z.object({ is_active: z.boolean() }),
    reply: Nothing,
    problems: ["not_found", "own_company", "demo_refused", "token_refused"],
  }),
  delete: call({
    id: "company.delete",
    method: "DELETE",
    path: "company/:id",
    right: "2:delete",
    reach: "company",
    summary:
      "Closes and hides a company below one's own: sign-in and data collection stop, its data are kept",
    params: z.object({ id: IdText }),
    reply: Nothing,
    problems: ["not_found", "own_company", "companies_below", "demo_refused", "token_refused"],
  }),
  restore: call({
    id: "company.restore",
    method: "PUT",
    path: "company/restore/:id",
    right: "platform",
    reach: "company",
    isOwn: true,
    summary: "Restores a deleted company with all its data",
    params: z.object({ id: IdText }),
    reply: z.object({ company: Company }),
    problems: ["not_found", "companies_above", "demo_refused", "token_refused"],
  }),
  move: call({
    id: "company.move",
    method: "PUT",
    path: "company/move/:id",
    right: "platform",
    reach: "company",
    isOwn: true,
    summary: "Moves a company with all below it to another dealer; sessions entered from above end at once",
    params: z.object({ id: IdText }),
    body: z.object({ parent_id: Id }),
    reply: z.object({ company: Company }),
    problems: ["not_found", "own_company", "not_a_dealer", "own_branch", "demo_refused", "token_refused"],
  }),
};
