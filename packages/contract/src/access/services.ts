import type { Text } from "@metrum/vocabulary";
import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { BoundedObject, Id, IdText, listInput, Nothing, paged, Seconds, ShortText } from "../core/values.ts";

const Price = z.number().check(z.gte(0), z.lte(1e12));
const Currency = z.string().check(z.regex(/^[A-Z]{3}$/));

/** A service that the provider offers. Without a price it is negotiated. */
const Service = z.object({
  id: Id,
  service_group_id: Id,
  code: z.string(),
  title: z.string(),
  price: z.nullable(z.number()).check(z.describe("a month")),
  currency: z.nullable(z.string()),
  is_available: z.boolean(),
});
export type Service = z.infer<typeof Service>;

const ServiceGroup = z.object({ id: Id, title: z.string(), services: z.array(Service) });

/** A service that a company has. */
const CompanyService = z.object({
  id: Id,
  service_id: Id,
  company_id: Id,
  code: z.string(),
  title: z.string(),
  is_active: z.boolean(),
  is_available: z.boolean(),
  settings: BoundedObject,
});
export type CompanyService = z.infer<typeof CompanyService>;

const ServiceLogRow = z.object({
  id: z.int(),
  service_id: Id,
  service_title: z.string(),
  created_at: Seconds,
  message: z.string(),
  result: z.string().check(z.describe("ok, or the code of the refusal")),
});
export type ServiceLogRow = z.infer<typeof ServiceLogRow>;

const Title = z.object({ ru: Required(), en: Required(), mn: Required() });

function Required() {
  return z.string().check(z.trim(), z.minLength(1), z.maxLength(255));
}

const text = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });

/** Texts of the service log, by code. */
export const serviceMessages = {
  switched_on: text("Услуга включена", "The service is switched on", "Үйлчилгээг идэвхжүүлсэн"),
  switched_off: text("Услуга выключена", "The service is switched off", "Үйлчилгээг идэвхгүй болгосон"),
  removed: text("Услуга отключена", "The service has been removed", "Үйлчилгээг хассан"),
  exported: text(
    "Выгружено строк: {rows}, файл {file}",
    "Rows exported: {rows}, file {file}",
    "Экспортолсон мөр: {rows}, файл {file}",
  ),
  export_failed: text(
    "Выгрузка не удалась: файл не записан",
    "The export failed: the file was not written",
    "Экспорт амжилтгүй: файл бичигдсэнгүй",
  ),
} as const satisfies Record<string, Text>;

export const services = {
  groups: call({
    id: "service.groups",
    method: "GET",
    path: "service/groups",
    right: "admin",
    reach: "company",
    summary: "Services that the provider offers, by group",
    reply: z.object({ service_groups: z.array(ServiceGroup) }),
  }),
  companyList: call({
    id: "service.companyList",
    method: "GET",
    path: "service/company/list",
    right: "admin",
    reach: "company",
    summary: "Services of the company",
    reply: z.array(CompanyService),
  }),
  companySet: call({
    id: "service.companySet",
    method: "POST",
    path: "service/company/set",
    right: "admin",
    reach: "company",
    summary: "Adds a service to the company, switches it on or off and saves its settings",
    body: z.object({
      service_id: Id,
      is_active: z.optional(z.boolean()),
      settings: z.optional(BoundedObject),
    }),
    reply: CompanyService,
    problems: ["not_found", "service_unavailable", "demo_refused"],
  }),
  companyDelete: call({
    id: "service.companyDelete",
    method: "DELETE",
    path: "service/company/:id",
    right: "admin",
    reach: "company",
    summary: "Removes a service from the company; its log is kept",
    params: z.object({ id: IdText }),
    reply: Nothing,
    problems: ["not_found", "demo_refused"],
  }),
  companyLog: call({
    id: "service.companyLog",
    rows: "service_logs.data",
    method: "POST",
    path: "service/company/log",
    right: "admin",
    reach: "company",
    summary: "Service log of the company, newest first",
    body: z.object({
      page: listInput.page,
      per_page: listInput.per_page,
      start_date: z.optional(Seconds),
      stop_date: z.optional(Seconds),
    }),
    reply: z.object({ service_logs: paged(ServiceLogRow) }),
  }),
  offer: call({
    id: "service.offer",
    method: "POST",
    path: "service/offer",
    right: "platform",
    reach: "company",
    isOwn: true,
    summary: "Adds a service to the catalogue, or changes the one with the same code",
    body: z.object({
      code: z.string().check(z.regex(/^[a-z][a-z0-9_]{1,39}$/)),
      group: z.object({
        code: z.string().check(z.regex(/^[a-z][a-z0-9_]{1,39}$/)),
        title: z.optional(Title),
      }),
      title: Title,
      price: z.optional(z.nullable(Price)),
      currency: z.optional(z.nullable(Currency)),
      is_available: z.boolean(),
    }),
    reply: z.object({ service: Service }),
    problems: ["not_found", "demo_refused"],
  }),
  almatySuExport: call({
    id: "service.almatySuExport",
    method: "POST",
    path: "service/almaty_su/export",
    right: "admin",
    reach: "company",
    summary: "Exports the last readings of a period to Almaty Su, of the named devices or of all",
    body: z.object({
      start_date: z.optional(Seconds),
      stop_date: z.optional(Seconds),
      device_ids: z.optional(z.array(Id).check(z.maxLength(10_000))),
    }),
    reply: z.object({ file: ShortText, rows: z.int() }),
    problems: ["not_found", "service_not_configured", "service_off", "demo_refused"],
  }),
};
