import { aFile, anEmail, messagesOf, november } from "../bodies.ts";
import { aCodec } from "../../records.ts";
import { anAttribute, aSchedule, aSpareDevice, aVersion } from "../spares.ts";
import type { Examples } from "./example.ts";

const newYear = { day_list: ["12-31"], shedule: { tariff0: ["00:00"] } };
const aDayAndNight = { tariff: { tariff0: ["23:00"], tariff1: ["07:00"] } };

/** Examples of models, devices and readings. */
export const meteringExamples: Examples = {
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
  "model.pollFields": { input: () => ({ body: { model_id: 101, interface_id: 4 } }) },
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
  "device.create": {
    input: () => ({
      body: {
        name: "New meter",
        deviceID: anEmail(),
        model_id: 101,
        inside_addr: "7",
        report_period_update: 900,
      },
    }),
    foreign: {
      kind: "gateway",
      input: (id) => ({
        body: { name: "New meter", deviceID: anEmail(), model_id: 101, inside_addr: "7", gateway_id: id },
      }),
    },
  },
  "device.edit": {
    input: async (fixture) => ({ body: { id: await aSpareDevice(fixture, false), name: "Renamed" } }),
    foreign: { kind: "device", input: (id) => ({ body: { id, name: "Renamed" } }) },
  },
  "device.setConnectionParams": {
    input: ({ ours }) => ({
      params: { id: ours.device },
      body: { poll_params: { inside_addr: "12", echo: false } },
    }),
    foreign: { kind: "device", input: (id) => ({ params: { id }, body: { poll_params: { echo: true } } }) },
  },
  "uuid.generate": {},
  "device.log": {
    input: ({ ours }) => ({ body: { device_id: ours.device, page: 1, per_page: 10 } }),
    foreign: { kind: "device", input: (id) => ({ body: { device_id: id } }) },
  },
  "attribute.catalogue": {},
  "attribute.values": {
    input: async (fixture) => ({
      body: { name: (await anAttribute(fixture)).name, search_string: "4" },
    }),
  },
  "model.companyAttributes": {},
  "attribute.ofDevice": {
    input: ({ ours }) => ({ body: { device_id: ours.device } }),
    foreign: { kind: "device", input: (id) => ({ body: { device_id: id } }) },
  },
  "attribute.add": {
    input: ({ ours }) => ({ body: { device_id: ours.device, name: anEmail(), value: "4" } }),
    foreign: { kind: "device", input: (id) => ({ body: { device_id: id, name: "Feeder", value: "4" } }) },
  },
  "attribute.update": {
    input: async (fixture) => ({ body: { ...(await anAttribute(fixture)), value: "5" } }),
    foreign: { kind: "device", input: (id) => ({ body: { device_id: id, name: "Feeder", value: "4" } }) },
  },
  "attribute.delete": {
    input: async (fixture) => ({ body: await anAttribute(fixture) }),
    foreign: { kind: "device", input: (id) => ({ body: { device_id: id, name: "Feeder" } }) },
  },
  "schedule.get": {
    input: ({ ours }) => ({ body: { device_id: ours.device } }),
    foreign: { kind: "device", input: (id) => ({ body: { device_id: id } }) },
  },
  "schedule.save": {
    input: ({ ours }) => ({ body: { device_id: ours.device, schedule: { rules: aDayAndNight } } }),
    foreign: {
      kind: "device",
      input: (id) => ({ body: { device_id: id, schedule: { rules: aDayAndNight } } }),
    },
  },
  "schedule.saveElectro": {
    input: ({ ours }) => ({ body: { device_id: ours.device, schedule_electro: aDayAndNight.tariff } }),
    foreign: {
      kind: "device",
      input: (id) => ({ body: { device_id: id, schedule_electro: aDayAndNight.tariff } }),
    },
  },
  "schedule.saveSpecialDays": {
    input: ({ ours }) => ({ body: { device_id: ours.device, special_days: newYear } }),
    foreign: { kind: "device", input: (id) => ({ body: { device_id: id, special_days: newYear } }) },
  },
  "schedule.delete": {
    input: async (fixture) => ({ body: await aSchedule(fixture) }),
    foreign: { kind: "device", input: (id) => ({ body: { device_id: id, schedule_id: id } }) },
  },
  "device.toTrash": {
    input: async (fixture) => ({ params: { id: await aSpareDevice(fixture, false) } }),
    foreign: { kind: "device", input: (id) => ({ params: { id } }) },
  },
  "device.restore": {
    input: async (fixture) => ({ params: { id: await aSpareDevice(fixture, true) } }),
    foreign: { kind: "device", input: (id) => ({ params: { id } }) },
  },
  "device.remove": {
    input: async (fixture) => ({ params: { id: await aSpareDevice(fixture, true) } }),
    foreign: { kind: "trashedDevice", input: (id) => ({ params: { id } }) },
  },
  "device.clearTrash": {},
  "device.trash": {
    input: async (fixture) => ({ body: { ids: [await aSpareDevice(fixture, false)], is_deleted: true } }),
    foreign: {
      kind: "device",
      input: (id, { ours }) => ({ body: { ids: [ours.device, id], is_deleted: false } }),
    },
  },
  "device.archive": {
    input: async (fixture) => ({ body: { ids: [await aSpareDevice(fixture, false)], is_archived: true } }),
    foreign: {
      kind: "device",
      input: (id, { ours }) => ({ body: { ids: [ours.device, id], is_archived: false } }),
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
  "device.control": {
    input: ({ ours }) => ({ body: { id: ours.device, management: { now_value: 1 } } }),
    foreign: { kind: "device", input: (id) => ({ body: { id, management: { now_value: 1 } } }) },
  },
  "device.transparentSwitch": {
    input: ({ ours }) => ({ body: { device_id: ours.device, on: false } }),
    foreign: { kind: "device", input: (id) => ({ body: { device_id: id, on: false } }) },
  },
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
};
