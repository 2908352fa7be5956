import { aMapping, aPollGroup, aPushOf, aRadioDevice, aServer } from "../bodies.ts";
import { spareServer } from "../../rows.ts";
import { sparePollGroup, spareTopic, staff } from "../spares.ts";
import type { Examples } from "./example.ts";

/** Readings of a week of November 2026. */
const holesOf = (device: number) => ({
  device_ids: [device],
  msg_types: [1],
  start_date: 1_793_491_200,
  stop_date: 1_794_095_999,
});

/** Examples of lines, brokers, polls and the exchange log. */
export const headendExamples: Examples = {
  "retention.get": {},
  "retention.set": { input: () => ({ body: { exchanges: 24 } }) },
  "inbox.list": {},
  "inbox.preview": {
    input: () => ({ body: { identity: "0102030405060708" } }),
    foreign: { kind: "company", input: (id) => ({ body: { identity: "0102030405060708", company_id: id } }) },
  },
  "inbox.create": {
    input: () => ({ body: aRadioDevice() }),
    foreign: { kind: "company", input: (id) => ({ body: { ...aRadioDevice(), company_id: id } }) },
  },
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
  "task.create": {
    input: ({ ours }) => ({ body: { command_type: "poll", title: "Morning", device_ids: [ours.device] } }),
    foreign: {
      kind: "device",
      input: (id, { ours }) => ({
        body: { command_type: "poll", title: "Morning", device_ids: [ours.device, id] },
      }),
    },
  },
  "control.plan": {
    input: ({ ours }) => ({ body: { device_ids: [ours.device], management: { relay_state: 1 } } }),
    foreign: {
      kind: "device",
      input: (id, { ours }) => ({ body: { device_ids: [ours.device, id], management: { relay_state: 1 } } }),
    },
  },
  "control.list": {
    input: ({ ours }) => ({ body: { device_id: ours.device, per_page: 10 } }),
    foreign: { kind: "device", input: (id) => ({ body: { device_id: id } }) },
  },
  "control.state": {},
  "control.setPolicy": {
    input: () => ({ body: { asks_second_factor: false } }),
  },
  "control.freezes": { as: staff },
  "control.freeze": {
    as: staff,
    input: () => ({ body: { is_frozen: false, reason: "Drill" } }),
  },
  "device.settingsClear": {
    input: ({ ours }) => ({ params: { id: ours.device } }),
    foreign: { kind: "device", input: (id) => ({ params: { id } }) },
  },
  "task.logs": {
    input: ({ ours }) => ({
      body: { device_id: ours.device, result_code: 0, outcome: "retried", page: 1, per_page: 10 },
    }),
    foreign: { kind: "device", input: (id) => ({ body: { device_id: id } }) },
  },
  "task.list": {
    input: ({ ours }) => ({ body: { device_id: ours.device, search_string: "task", per_page: 10 } }),
    foreign: { kind: "device", input: (id) => ({ body: { device_id: id } }) },
  },
  "task.results": {
    input: ({ ours }) => ({ body: { device_task_id: ours.task, outcome: "failed", per_page: 10 } }),
    foreign: { kind: "task", input: (id) => ({ body: { device_task_id: id } }) },
  },
  "task.change": {
    input: ({ ours }) => ({ body: { action: "switch_on", filter: { ids: [ours.device] } } }),
    foreign: {
      kind: "device",
      input: (id, { ours }) => ({ body: { action: "switch_on", filter: { ids: [ours.device, id] } } }),
    },
  },
  "task.planRequest": {
    input: ({ ours }) => ({
      body: { device_ids: [ours.device], management: { archive_profile: "2026-10-01 00:00:00" } },
    }),
    foreign: {
      kind: "device",
      input: (id, { ours }) => ({
        body: { device_ids: [ours.device, id], management: { archive_profile: "2026-10-01 00:00:00" } },
      }),
    },
  },
  "task.planHoles": {
    input: ({ ours }) => ({ body: holesOf(ours.device) }),
    foreign: { kind: "device", input: (id) => ({ body: holesOf(id) }) },
  },
  "task.askHoles": {
    input: ({ ours }) => ({ body: holesOf(ours.device) }),
    foreign: { kind: "device", input: (id) => ({ body: holesOf(id) }) },
  },
  "task.cancel": {
    input: ({ ours }) => ({ body: { device_task_ids: [ours.task] } }),
    foreign: { kind: "task", input: (id, { ours }) => ({ body: { device_task_ids: [ours.task, id] } }) },
  },
  "task.repeat": {
    input: ({ ours }) => ({ body: { device_task_id: ours.task } }),
    foreign: { kind: "task", input: (id) => ({ body: { device_task_id: id } }) },
  },
  "task.statuses": {},
  "task.statistics": {
    // The day of the tasks of the fixture.
    input: ({ ours }) => ({
      body: { device_id: ours.device, start_date: 1_793_404_800, stop_date: 1_793_577_600 },
    }),
    foreign: { kind: "device", input: (id) => ({ body: { device_id: id } }) },
  },
  "task.logTypes": {},
  "task.logResultCodes": {},
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
  "pollGroup.list": { input: () => ({ body: { page: 1, perPage: 10 } }) },
  "pollGroup.get": {
    input: ({ ours }) => ({ params: { id: ours.pollGroup } }),
    foreign: { kind: "pollGroup", input: (id) => ({ params: { id } }) },
  },
  "pollGroup.create": {
    input: ({ ours }) => ({ body: aPollGroup([ours.device]) }),
    foreign: { kind: "device", input: (id, { ours }) => ({ body: aPollGroup([ours.device, id]) }) },
  },
  "pollGroup.update": {
    input: ({ ours }) => ({ body: { id: ours.pollGroup, device_ids: [ours.device] } }),
    foreign: { kind: "pollGroup", input: (id) => ({ body: { id, is_active: false } }) },
  },
  "pollGroup.switch": {
    input: ({ ours }) => ({ body: { id: ours.pollGroup, is_active: true } }),
    foreign: { kind: "pollGroup", input: (id) => ({ body: { id, is_active: false } }) },
  },
  "pollGroup.replace": {
    input: ({ ours }) => ({ body: { device_ids: [ours.device], poll_group_id: ours.pollGroup } }),
    foreign: {
      kind: "pollGroup",
      input: (id, { ours }) => ({ body: { device_ids: [ours.device], poll_group_id: id } }),
    },
  },
  "pollGroup.delete": {
    input: async (fixture) => ({ params: { id: await sparePollGroup(fixture) } }),
    foreign: { kind: "pollGroup", input: (id) => ({ params: { id } }) },
  },
  "poll.run": {
    input: ({ ours }) => ({ body: { device_id: ours.device } }),
    foreign: { kind: "device", input: (id) => ({ body: { device_id: id } }) },
  },
  "poll.plan": {
    input: ({ ours }) => ({ body: { device_ids: [ours.device] } }),
    foreign: { kind: "device", input: (id, { ours }) => ({ body: { device_ids: [ours.device, id] } }) },
  },
  "poll.switch": {
    input: ({ ours }) => ({ body: { device_id: ours.device, is_active: true } }),
    foreign: { kind: "device", input: (id) => ({ body: { device_id: id, is_active: false } }) },
  },
};
