import { anEmail } from "../bodies.ts";
import { aLicence } from "../../access/licence.ts";
import { proofOf, proofToEnable, secured } from "../../access/secondFactor.ts";
import { aGroup, aMember, entryCode, staff } from "../spares.ts";
import type { Examples } from "./example.ts";

const dealer = "dealer@metrum.example";
/** Its password and sign-in are not used by other examples. */
const newcomer = "norights@metrum.example";

const viewState = { q: "", sort: null, filters: { state: ["silent"] }, cols: ["name", "state"] };

/** Examples of sign-in, users, companies and their licence. */
export const accessExamples: Examples = {
  "auth.login": { input: () => ({ body: { email: "engineer@metrum.example", password: "Metrum!2026" } }) },
  "auth.signup": {
    input: () => ({
      body: {
        name: "Registrar",
        email: "registrar@valley.example",
        company_type_id: 1,
        company_name: "Valley Heat Networks",
        inn: "1234567890",
        phone_number: "+97699112233",
        user_time_zone: 8,
        password: "Kx7!mPqw",
        password_confirmation: "Kx7!mPqw",
      },
    }),
  },
  "auth.activate": { input: ({ tokens }) => ({ params: { token: tokens.activation } }) },
  "auth.activateByLetter": { input: ({ tokens }) => ({ body: { token: tokens.activation } }) },
  "auth.passwordFindByLetter": { input: ({ tokens }) => ({ body: { token: tokens.find } }) },
  "auth.passwordCreate": { input: () => ({ body: { email: "viewer@metrum.example" } }) },
  "auth.passwordFind": { input: ({ tokens }) => ({ params: { token: tokens.find } }) },
  "auth.passwordReset": {
    input: ({ tokens }) => ({
      body: {
        email: "api@metrum.example",
        token: tokens.reset,
        password: "Kx7!mPqw",
        password_confirmation: "Kx7!mPqw",
      },
    }),
  },
  "auth.logout": {},
  "auth.captcha": {},
  "auth.kerberos": { answers: 404, input: () => ({ body: {} }) },
  "auth.directory": {
    answers: 404,
    input: () => ({ body: { email: "engineer@metrum.example", password: "Metrum!2026" } }),
  },
  "auth.oidcStart": { answers: 404 },
  "auth.oidcFinish": {
    answers: 404,
    input: () => ({ body: { state: "state", ticket: "ticket", code: "code" } }),
  },
  "company.enter": {
    as: dealer,
    input: ({ ours }) => ({ params: { id: ours.company }, body: {} }),
    foreign: { kind: "company", input: (id) => ({ params: { id }, body: {} }) },
  },
  "company.exit": { input: () => ({ body: { exit_point: "companies" } }) },
  "listView.list": { input: () => ({ body: { list: "devices" } }) },
  "listView.create": {
    input: () => ({ body: { list: "devices", name: "Quiet", state: viewState, is_shared: false } }),
  },
  "listView.update": {
    input: ({ ours }) => ({ body: { id: ours.listView, state: viewState } }),
    foreign: { kind: "listView", input: (id) => ({ body: { id, name: "Foreign" } }) },
  },
  "listView.delete": {
    input: ({ ours }) => ({ body: { id: ours.listView } }),
    foreign: { kind: "listView", input: (id) => ({ body: { id } }) },
  },
  "user.access": {},
  "user.info": {},
  "user.settings": { input: () => ({ body: { settings: { chart_type: { 17: { archives: "bar" } } } } }) },
  "company.users": {
    input: () => ({ body: { sort: "desc", sort_field: "email", search_string: "e" } }),
    foreign: { kind: "accessGroup", input: (id) => ({ body: { access_group_id: [id] } }) },
  },
  "user.create": {
    input: () => ({ body: { name: "Shift", email: anEmail(), language: "mn" } }),
    foreign: {
      kind: "accessGroup",
      input: (id) => ({ body: { name: "Shift", email: anEmail(), access_group_id: id } }),
    },
  },
  "user.update": {
    input: ({ ours }) => ({ body: { id: ours.user, phone_number: "+97699112233" } }),
    foreign: { kind: "user", input: (id) => ({ body: { id, phone_number: "+97699112233" } }) },
  },
  "user.switch": {
    input: async (fixture) => ({ params: { id: await aMember(fixture) }, body: { is_active: false } }),
    foreign: { kind: "user", input: (id) => ({ params: { id }, body: { is_active: false } }) },
  },
  "user.delete": {
    input: async (fixture) => ({ params: { id: await aMember(fixture) } }),
    foreign: { kind: "user", input: (id) => ({ params: { id } }) },
  },
  "user.invite": {
    input: async (fixture) => ({ params: { id: await aMember(fixture) }, body: {} }),
    foreign: { kind: "user", input: (id) => ({ params: { id }, body: {} }) },
  },
  "user.endSessions": {
    input: async (fixture) => ({ params: { id: await aMember(fixture) } }),
    foreign: { kind: "user", input: (id) => ({ params: { id } }) },
  },
  "accessGroup.list": { input: () => ({ body: { page: 1, per_page: 10, search_string: "o" } }) },
  "accessGroup.create": { input: () => ({ body: { name: anEmail(), access_rules: { read: [4] } } }) },
  "accessGroup.update": {
    input: ({ ours }) => ({ params: { id: ours.accessGroup }, body: { access_rules: { read: [4, 8] } } }),
    foreign: { kind: "accessGroup", input: (id) => ({ params: { id }, body: { name: "Theirs" } }) },
  },
  "accessGroup.delete": {
    input: async (fixture) => ({ params: { id: await aGroup(fixture) } }),
    foreign: { kind: "accessGroup", input: (id) => ({ params: { id } }) },
  },
  "user.company": {},
  "profile.state": {},
  "user.profile": { input: () => ({ body: { phone_number: "+97699112233", timezone_name: "Asia/Hovd" } }) },
  "newsletter.subscribe": { input: () => ({ body: { subscribe: true } }) },
  "user.2fa.init": {},
  "user.2fa.enable": {
    as: newcomer,
    input: async ({ api }) => ({ body: await proofToEnable(api, newcomer) }),
  },
  "user.2fa.recoveryCodes": {
    as: newcomer,
    input: async ({ api }) => ({ body: await proofOf(api, newcomer) }),
  },
  "user.2fa.disable": {
    as: newcomer,
    input: async ({ api }) => ({ body: await proofOf(api, newcomer) }),
  },
  "user.2fa.reset": {
    input: async ({ api }) => ({ params: { id: await secured(api, newcomer) } }),
    foreign: { kind: "user", input: (id) => ({ params: { id } }) },
  },
  "profile.sessions": {},
  "profile.sessionEnd": {
    input: ({ ours }) => ({ params: { id: ours.session } }),
    foreign: { kind: "session", input: (id) => ({ params: { id } }) },
  },
  "profile.sessionsEndOthers": {},
  "profile.tokens": {},
  "profile.tokenCreate": {
    input: () => ({ body: { name: "Billing", days: 30, current_password: "Metrum!2026" } }),
  },
  "company.types": {},
  "company.update": { input: () => ({ body: { phone_number: "+97699112233" } }) },
  "company.list": { as: dealer, input: () => ({ body: { page: 1, per_page: 10, search_string: "a" } }) },
  "company.create": { as: dealer, input: () => ({ body: { name: "Heat District East", time_zone: 8 } }) },
  "company.editById": {
    as: dealer,
    input: ({ ours }) => ({ params: { id: ours.company }, body: { inn: "1234567890" } }),
    foreign: { kind: "company", input: (id) => ({ params: { id }, body: { inn: "1234567890" } }) },
  },
  "company.switch": {
    as: dealer,
    input: ({ ours }) => ({ params: { id: ours.company }, body: { is_active: true } }),
    foreign: { kind: "company", input: (id) => ({ params: { id }, body: { is_active: false } }) },
  },
  "auth.entryRedeem": { as: staff, input: async (fixture) => ({ body: { code: await entryCode(fixture) } }) },
  "license.info": { as: staff, build: "server" },
  "license.upload": { as: staff, build: "server", input: () => ({ body: { file: aLicence() } }) },
  "company.delete": {
    as: dealer,
    input: ({ spareCompany }) => ({ params: { id: spareCompany } }),
    foreign: { kind: "company", input: (id) => ({ params: { id } }) },
  },
  "company.move": {
    as: staff,
    input: ({ ours, dealerCompany }) => ({
      params: { id: ours.company },
      body: { parent_id: dealerCompany },
    }),
  },
  "company.restore": {
    as: staff,
    input: ({ deletedCompany }) => ({ params: { id: deletedCompany } }),
  },
  "company.log": { input: () => ({ body: { page: 1, per_page: 10, action: "auth.login" } }) },
  "peakHours.default": {},
  "peakHours.set": {
    input: ({ ours }) => ({
      params: { id: ours.company },
      body: { peak_hours: [{ month: 1, ranges: [{ start: 8, stop: 11 }] }] },
    }),
    foreign: { kind: "company", input: (id) => ({ params: { id }, body: [] }) },
  },
};
