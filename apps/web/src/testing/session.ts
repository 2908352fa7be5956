import { answer } from "./browser.ts";

const slugs: Readonly<Record<number, string>> = {
  5: "dashboard",
  4: "devices",
  6: "objects",
  7: "reports",
  8: "events",
  2: "companies",
  1: "users",
};

/** Modules that the menu may show. */
export const everyModule = [1, 2, 4, 5, 6, 7, 8];

/** The access record of a user who may read some modules, or of an administrator. */
export const anAccess = (read: readonly number[] | "admin", more: object = {}) => ({
  is_admin: read === "admin",
  access_group:
    read === "admin"
      ? null
      : { id: 1, name: "g", access_rules: { create: [], read, update: [], delete: [], access_all: [] } },
  active_modules: Object.entries(slugs).map(([id, slug], at) => ({ id: Number(id), slug, sort: at })),
  rules_belong_to_company_id: null,
  current_company_id: 3,
  is_platform: false,
  license_days_left: null,
  entered_from_admin: false,
  entered_company: false,
  entered: null,
  duty: null,
  ...more,
});

export const aUser = {
  user: {
    id: 1,
    name: "N",
    email: "n@metrum.example",
    phone_number: null,
    user_time_zone: 8,
    timezone: 8,
    timezone_name: "Asia/Ulaanbaatar",
    language: "ru",
    first_login: false,
    "2fa_enabled": false,
    is_admin: false,
    is_active: true,
    access_group_id: 1,
    current_company_id: 3,
    current_time_zone: 8,
    current_timezone_name: "Asia/Ulaanbaatar",
    is_demo: false,
    settings: {},
  },
};

export const aCompany = (only_api = false) => ({
  company: {
    id: 3,
    parent_id: null,
    name: "C",
    company_type_id: 1,
    inn: "1",
    phone_number: null,
    time_zone: 8,
    timezone_name: "Asia/Ulaanbaatar",
    is_dealer: false,
    is_demo: false,
    is_active: true,
    expires_at: null,
    options: {
      only_api,
      peak_hours_zone: "price_0",
      peak_hours_region: 1,
      two_factor_required: false,
      password_min_length: 8,
      divides_gaps_from: null,
    },
    peak_hours: [],
    active_modules: [],
  },
});

/** Answers of a stubbed server at the start of a session. */
export const asUser = (access: object, company: object = aCompany()) => ({
  "user/access": () => answer(access),
  "user/info": () => answer(aUser),
  "user/company": () => answer(company),
  "auth/logout": () => answer({}),
});
