import type { BranchFields, Company, CompanyInTree } from "@metrum/contract/access";
import { formatDate } from "#lib/format";
import { parseDateTime } from "#ui/dateRange";

/** A company as edited in its form. */
export interface Draft {
  readonly name: string;
  /** Id of the type, as its field represents it. */
  readonly company_type_id: string;
  readonly inn: string;
  readonly phone_number: string;
  readonly timezone_name: string;
  /** Last day as "2026-12-31"; empty without an expiry. */
  readonly until: string;
  readonly is_dealer: boolean;
  readonly is_demo: boolean;
  readonly only_api: boolean;
  /** Slugs in the order of the menu. */
  readonly modules: readonly string[];
}

/** Module of the companies below: only dealers have it. */
export const companiesSlug = "companies";

type Above = Pick<Company, "active_modules" | "timezone_name">;

/** A new company starts with the zone and the modules of the company above. */
export function draftOf(company: CompanyInTree | null, parent: Above): Draft {
  return company === null ? newDraft(parent) : storedDraft(company);
}

function newDraft({ active_modules, timezone_name }: Above): Draft {
  return {
    name: "",
    company_type_id: "1",
    inn: "",
    phone_number: "",
    timezone_name,
    until: "",
    is_dealer: false,
    is_demo: false,
    only_api: false,
    modules: active_modules.map(({ slug }) => slug).filter((slug) => slug !== companiesSlug),
  };
}

function storedDraft(company: CompanyInTree): Draft {
  const { name, company_type_id, inn, timezone_name, expires_at, is_dealer, is_demo } = company;
  return {
    name,
    company_type_id: String(company_type_id),
    inn,
    phone_number: company.phone_number ?? "",
    timezone_name,
    until: expires_at === null ? "" : dayText(expires_at - 1, timezone_name),
    is_dealer,
    is_demo,
    only_api: company.options.only_api,
    modules: company.active_modules.map(({ slug }) => slug),
  };
}

/**
 * The request. The company expires with its last day, in its own zone; an instant within the day, which only other
 * programs set, stays while neither is changed.
 */
export function bodyOf(
  draft: Draft,
  isStaff: boolean,
  stored: CompanyInTree | null = null,
): BranchFields & { readonly name: string } {
  const before = stored && storedDraft(stored);
  const isSameDay = before?.until === draft.until && before.timezone_name === draft.timezone_name;
  const expires_at = isSameDay && stored ? stored.expires_at : endOfDayText(draft.until, draft.timezone_name);
  const slugs = draft.modules.filter((slug) => draft.is_dealer || slug !== companiesSlug);
  return {
    name: draft.name.trim(),
    company_type_id: Number(draft.company_type_id),
    inn: draft.inn.trim(),
    phone_number: draft.phone_number.trim() === "" ? null : draft.phone_number.trim(),
    timezone_name: draft.timezone_name,
    expires_at,
    is_dealer: draft.is_dealer,
    ...(isStaff ? { is_demo: draft.is_demo } : {}),
    options: { only_api: draft.only_api },
    active_modules: slugs.map((slug) => ({ slug })),
  };
}

/** "2026-12-31", as a date field represents it. */
function dayText(at: number, zone: string): string {
  return formatDate(at, zone).split(".").reverse().join("-");
}

/** The first second after the day; null without a day. */
function endOfDayText(text: string, zone: string): number | null {
  const last = parseDateTime(text, zone, "end");
  return last === undefined ? null : last + 1;
}
