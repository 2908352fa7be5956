import { closedPort, letter } from "../../rows.ts";
import { aPark, staff } from "../spares.ts";
import type { Examples } from "./example.ts";

/** Examples of the installation and the site. */
export const platformExamples: Examples = {
  "admin.enterCompany": { as: staff, input: ({ ours }) => ({ params: { id: ours.company } }) },
  "admin.userEnter": { as: staff, input: ({ ours }) => ({ params: { id: ours.user } }) },
  "admin.users": { as: staff, input: () => ({ body: { search_string: "e", page: 1, per_page: 10 } }) },
  "admin.health": { as: staff },
  "admin.letters": { as: staff, input: () => ({ body: { state: "parked", search_string: "e", page: 1 } }) },
  "admin.letter": { as: staff, input: async (fixture) => ({ params: { id: await letter(fixture) } }) },
  "admin.letterAgain": { as: staff, input: async (fixture) => ({ params: { id: await letter(fixture) } }) },
  "admin.ports": { as: staff },
  "admin.connectedGateways": { as: staff, input: () => ({ body: { ports: [7001] } }) },
  "admin.requestData": {
    as: staff,
    input: () => ({ body: { port: 7001, imei: "004401950000017" } }),
  },
  "service.groups": {},
  "service.companyList": {},
  "service.companySet": { input: () => ({ body: { service_id: 1, is_active: true } }) },
  "service.companyDelete": {
    input: ({ ours }) => ({ params: { id: ours.companyService } }),
    foreign: { kind: "companyService", input: (id) => ({ params: { id } }) },
  },
  "service.companyLog": { input: () => ({ body: { start_date: 1_793_491_200, page: 1, per_page: 10 } }) },
  "service.offer": {
    as: staff,
    input: () => ({
      body: {
        code: "reading_rounds",
        group: { code: "field_work", title: { ru: "Выезды", en: "Field work", mn: "Талбайн ажил" } },
        title: { ru: "Обход", en: "Reading round", mn: "Заалт авах" },
        price: 100,
        currency: "RUB",
        is_available: true,
      },
    }),
  },
  "service.almatySuExport": {
    input: ({ ours }) => ({ body: { device_ids: [ours.device] } }),
    foreign: { kind: "device", input: (id, { ours }) => ({ body: { device_ids: [ours.device, id] } }) },
  },
  "site.properties": {},
  "design.get": {},
  "design.own": {
    input: ({ ours }) => ({ params: { id: ours.company } }),
    foreign: { kind: "company", input: (id) => ({ params: { id } }) },
  },
  "design.save": {
    input: () => ({
      body: { title: "Heat District", linkToHelp: "https://help.example/ru", accent: "#0b6e69" },
    }),
    foreign: { kind: "company", input: (id) => ({ body: { company_id: id, title: "Heat District" } }) },
  },
  "error.report": {
    input: () => ({ body: { message: "TypeError: x is undefined", url: "#/cloud/devices" } }),
  },
  "admin.transparentClose": {
    as: staff,
    input: async ({ api, ours }) => ({ params: { id: await closedPort(api, ours) } }),
  },
  "admin.simulation": { as: staff },
  "admin.simulationStart": {
    as: staff,
    input: ({ ours }) => ({ body: { company_id: ours.company, devices: 3 } }),
  },
  "admin.simulationRemove": {
    as: staff,
    input: async (fixture) => ({ params: { id: await aPark(fixture) } }),
  },
};
