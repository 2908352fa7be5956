import { aFile, aMapping, anEmail, aPushOf, aRadioDevice, aServer, messagesOf, november } from "./bodies.ts";
import { aLicence } from "./licence.ts";
import { aCodec, type Fixture, type Records } from "./records.ts";
import { closedPort, letter, spareServer } from "./rows.ts";
import { proofOf, proofToEnable, secured } from "./secondFactor.ts";
import { aGroup, aMember, aPark, aVersion, entryCode, spareTopic, staff } from "./spares.ts";

interface Input {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** How the walking tests ask one call. */
export interface Example {
  /** Account that may do it and for which it succeeds; the engineer without. */
  readonly as?: string;
  /** What is answered where the installation has not switched it on; 200 without. */
  readonly answers?: number;
  /** Only this build knows the call; any without. */
  readonly build?: "server";
  readonly input?: (fixture: Fixture) => Input | Promise<Input>;
  /**
   * Where the input holds an id of a company's own record: its kind, and the input with another id in that place (in a
   * list, beside an own one). The tests put in a foreign and an unknown id and compare the answers.
   */
  readonly foreign?: {
    readonly kind: keyof Records;
    readonly input: (id: number, fixture: Fixture) => Input;
  };
}

const dealer = "dealer@metrum.example";
/** No other example needs its password or sign-in. */
const newcomer = "norights@metrum.example";

/** One example for each call that is served; a call without one fails the walking test. */
export const examples: Readonly<Record<string, Example>> = {
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
  "retention.get": {},
  "retention.set": { input: () => ({ body: { exchanges: 24 } }) },
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
  "admin.enterCompany": { as: staff, input: ({ ours }) => ({ params: { id: ours.company } }) },
  "admin.userEnter": { as: staff, input: ({ ours }) => ({ params: { id: ours.user } }) },
  "auth.entryRedeem": { as: staff, input: async (fixture) => ({ body: { code: await entryCode(fixture) } }) },
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
  "inbox.list": {},
  "inbox.create": {
    input: () => ({ body: aRadioDevice() }),
    foreign: { kind: "company", input: (id) => ({ body: { ...aRadioDevice(), company_id: id } }) },
  },
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
  "model.devices": { input: () => ({ body: { search_string: "e" } }) },
  "model.companyDevices": {},
  "messages.groups": {},
  "model.get": { input: () => ({ params: { model_id: 101 } }) },
  "model.groups": { input: () => ({ body: {} }) },
  "model.types": { input: () => ({ body: {} }) },
  "model.gateways": { input: () => ({ body: {} }) },
  "model.baseStations": { input: () => ({ body: {} }) },
  "model.brands": { input: () => ({ body: {} }) },
  "model.interfaces": { input: () => ({ body: {} }) },
  "model.tabs": { input: () => ({ body: { device_group_id: 4 } }) },
  "codec.list": { input: () => ({ body: { model_id: 301, page: 1, per_page: 10 } }) },
  "codec.save": {
    input: ({ ours }) => ({ body: { id: ours.codec, name: "Second", model_id: 301, source_code: aCodec } }),
    foreign: {
      kind: "codec",
      input: (id) => ({ body: { id, name: "Theirs", model_id: 301, source_code: aCodec } }),
    },
  },
  "codec.switch": {
    input: ({ ours }) => ({ params: { id: ours.codec }, body: { is_active: false } }),
    foreign: { kind: "codec", input: (id) => ({ params: { id }, body: { is_active: true } }) },
  },
  "codec.test": { input: () => ({ body: { source_code: aCodec, payload: "0102", fport: 2 } }) },
  "codec.delete": {
    input: async (fixture) => ({ params: { id: await aVersion(fixture) } }),
    foreign: { kind: "codec", input: (id) => ({ params: { id } }) },
  },
  "codec.decodeAgain": {
    input: ({ ours }) => ({
      body: { device_id: ours.device, start_date: 1_793_491_200, stop_date: 1_793_577_600 },
    }),
    foreign: {
      kind: "device",
      input: (id) => ({ body: { device_id: id, start_date: 1_793_491_200, stop_date: 1_793_577_600 } }),
    },
  },
  "device.list": { input: () => ({ body: { per_page: 10, sort_field: "name", sort: "asc" } }) },
  "device.get": {
    input: ({ ours }) => ({ params: { id: ours.device } }),
    foreign: { kind: "device", input: (id) => ({ params: { id } }) },
  },
  "device.tieUser": {
    input: ({ ours }) => ({ body: { device_id: ours.device, user_ids: [ours.user] } }),
    foreign: {
      kind: "user",
      input: (id, { ours }) => ({ body: { device_id: ours.device, user_ids: [ours.user, id] } }),
    },
  },
  "device.tiesUser": {
    input: ({ ours }) => ({ body: { device_id: ours.device } }),
    foreign: { kind: "device", input: (id) => ({ body: { device_id: id } }) },
  },
  "device.switch": {
    input: ({ ours }) => ({ params: { id: ours.device }, body: { is_active: true } }),
    foreign: { kind: "device", input: (id) => ({ params: { id }, body: { is_active: false } }) },
  },
  "device.switchBulk": {
    input: ({ ours }) => ({ body: { device_ids: [ours.device], is_active: true } }),
    foreign: {
      kind: "device",
      input: (id, { ours }) => ({ body: { device_ids: [ours.device, id], is_active: false } }),
    },
  },
  "messages.list": {
    input: ({ ours }) => ({ body: messagesOf(ours.device) }),
    foreign: { kind: "device", input: (id) => ({ body: messagesOf(id) }) },
  },
  "messages.summary": {
    input: ({ ours }) => ({ body: { ...november(ours.device), msgType: 1 } }),
    foreign: { kind: "device", input: (id) => ({ body: { ...november(id), msgType: 1 } }) },
  },
  "device.powerProfile": {
    input: ({ ours }) => ({ body: november(ours.device) }),
    foreign: { kind: "device", input: (id) => ({ body: november(id) }) },
  },
  "device.energyProfile": {
    input: ({ ours }) => ({ body: november(ours.device) }),
    foreign: { kind: "device", input: (id) => ({ body: november(id) }) },
  },
  "messages.last": {
    input: ({ ours }) => ({ params: { id: ours.device }, body: { msgType: 1 } }),
    foreign: { kind: "device", input: (id) => ({ params: { id }, body: { msgType: "1" } }) },
  },
  "messages.typesGet": {},
  "push.chirpstack": {
    input: () => ({ query: { event: "up" }, body: { deviceInfo: { devEui: "0102030405060708" }, fPort: 2 } }),
  },
  "push.things": {
    input: () => ({
      body: { end_device_ids: { dev_eui: "0102030405060708" }, uplink_message: { f_port: 2 } },
    }),
  },
  "push.actility": { input: () => ({ body: { DevEUI_uplink: { DevEUI: "0102030405060708", FPort: "2" } } }) },
  "push.readings": {
    input: ({ ours }) => ({ body: aPushOf(ours.device) }),
    foreign: { kind: "device", input: (id) => ({ body: aPushOf(id) }) },
  },
  "push.senml": { input: () => ({ body: [{ bn: "urn:dev:mac:0102030405060708:", n: "in1", v: 5 }] }) },
  "messages.types": {
    input: ({ ours }) => ({ body: { device_id: ours.device } }),
    foreign: { kind: "device", input: (id) => ({ body: { device_id: id } }) },
  },
  "fields.titles": {},
  "messages.dirtyOne": {
    input: ({ ours }) => ({
      body: { device_id: ours.device, message: { datetime: 1_793_500_000, tariff1: 5 } },
    }),
    foreign: {
      kind: "device",
      input: (id) => ({ body: { device_id: id, message: { datetime: 1_793_500_000, tariff1: 5 } } }),
    },
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
  "task.create": {
    input: ({ ours }) => ({ body: { command_type: "poll", title: "Morning", device_ids: [ours.device] } }),
    foreign: {
      kind: "device",
      input: (id, { ours }) => ({
        body: { command_type: "poll", title: "Morning", device_ids: [ours.device, id] },
      }),
    },
  },
  "task.logs": {
    input: ({ ours }) => ({ body: { device_id: ours.device, result_code: 0, page: 1, per_page: 10 } }),
    foreign: { kind: "device", input: (id) => ({ body: { device_id: id } }) },
  },
  "task.logTypes": {},
  "task.logResultCodes": {},
  "device.control": {
    input: ({ ours }) => ({ body: { id: ours.device, management: { now_value: 1 } } }),
    foreign: { kind: "device", input: (id) => ({ body: { id, management: { now_value: 1 } } }) },
  },
  "device.transparentSwitch": {
    input: ({ ours }) => ({ body: { device_id: ours.device, on: false } }),
    foreign: { kind: "device", input: (id) => ({ body: { device_id: id, on: false } }) },
  },
  "networkServer.list": {},
  "networkServer.save": {
    input: ({ ours }) => ({ body: { ...aServer, id: ours.networkServer } }),
    foreign: { kind: "networkServer", input: (id) => ({ body: { ...aServer, id } }) },
  },
  "networkServer.delete": {
    input: async ({ api, ours }) => ({ params: { id: await spareServer(api, ours) } }),
    foreign: { kind: "networkServer", input: (id) => ({ params: { id } }) },
  },
  "mqttMapping.list": {},
  "mqttMapping.save": { input: () => ({ body: { name: "Sensors", definition: aMapping } }) },
  "mqttMapping.delete": {
    input: async (fixture) => ({ body: { topic: await spareTopic(fixture) } }),
  },
  "mqttMapping.test": {
    input: () => ({ body: { definition: aMapping, topic: "sensors/7", payload: '{"t":5}' } }),
  },
  "mqttAccount.get": {},
  "mqttAccount.issue": {},
  "quarantine.list": {
    input: ({ ours }) => ({ body: { device_id: ours.device, reason: "clock_ahead", per_page: 10 } }),
    foreign: { kind: "device", input: (id) => ({ body: { device_id: id } }) },
  },
  "quarantine.summary": {
    input: ({ ours }) => ({ body: { device_id: ours.device } }),
    foreign: { kind: "device", input: (id) => ({ body: { device_id: id } }) },
  },
  "quarantine.release": {
    input: ({ ours }) => ({ body: { device_id: ours.device } }),
    foreign: {
      kind: "device",
      input: (id, { ours }) => ({
        body: { ids: [ours.device, id].map((each) => `${each}.1790000000.1.1790000000.0`) },
      }),
    },
  },
  "quarantine.discard": {
    input: ({ ours }) => ({ body: { device_id: ours.device, reason: "too_old" } }),
    foreign: { kind: "device", input: (id) => ({ body: { device_id: id } }) },
  },
  "imports.readings": { input: ({ ours }) => ({ body: { text: aFile(ours.device) } }) },
  "devices.transparentList": {
    input: () => ({ body: { page: 1, per_page: 10, sort_field: "name", sort: "asc", is_active: true } }),
    foreign: { kind: "device", input: (id) => ({ body: { device_id: id } }) },
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
  "poll.run": {
    input: ({ ours }) => ({ body: { device_id: ours.device } }),
    foreign: { kind: "device", input: (id) => ({ body: { device_id: id } }) },
  },
  "poll.switch": {
    input: ({ ours }) => ({ body: { device_id: ours.device, is_active: true } }),
    foreign: { kind: "device", input: (id) => ({ body: { device_id: id, is_active: false } }) },
  },
};
