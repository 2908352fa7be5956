import type { Domain } from "#core";
import { administration } from "#platform/administration";
import { auditLog } from "#access/audit-log";
import { attributes } from "#metering/attributes";
import { balances } from "#accounting/balances";
import { baseStations } from "#metering/base-stations";
import { auth } from "#access/auth";
import { completeness } from "#insight/completeness";
import { bridge, startBridges } from "#headend/bridge";
import { imports } from "#metering/imports";
import { captcha } from "#access/captcha";
import { commandJob, commandTasks, control } from "#headend/control";
import { codecs } from "#metering/codecs";
import { companies } from "#access/companies";
import { simulation } from "#platform/demo";
import { devices } from "#metering/devices";
import { gateways } from "#metering/gateways";
import { guessing } from "#access/guessing";
import { letters } from "#access/letters";
import { licence } from "#access/licence";
import { listViews } from "#access/list-views";
import { live } from "#metering/live";
import { mappings } from "#headend/mappings";
import { messages } from "#metering/messages";
import { models } from "#metering/models";
import { dialogue, type LineWork } from "#headend/dialogue";
import { lineTestJob, lines } from "#headend/lines";
import { accountingPoints } from "#accounting/accounting-points";
import { addresses } from "#accounting/addresses";
import { smartImport } from "#accounting/smart-import";
import { consumption } from "#accounting/consumption";
import { map } from "#accounting/object-map";
import { objects } from "#accounting/objects";
import { periods } from "#accounting/periods";
import { parties } from "#accounting/parties";
import { modemPollJob, modems } from "#headend/modems";
import { networkServers } from "#headend/network-servers";
import { pollGroups } from "#headend/poll-groups";
import { polling, pollJob } from "#headend/polling";
import { askSlots, tasks } from "#headend/tasks";
import { startListening, startNetwork, takeDatagram, takeMqttMessage, uplinks } from "#headend/uplinks";
import { profile } from "#access/profile";
import { schedules } from "#metering/schedules";
import { services } from "#platform/services";
import { sheets } from "#metering/sheets";
import { registration } from "#access/registration";
import { retention } from "#headend/retention";
import { shell } from "#platform/shell";
import { users } from "#access/users";
import { validation } from "#accounting/validation";

/**
 * Work on the lines of devices and with their uplinks: domains that communicate with devices are listed here.
 */
export const lineWork: LineWork = {
  jobs: [pollJob, modemPollJob, lineTestJob, commandJob],
  beside: [
    ({ services, ports, processId }) => startNetwork({ services, broker: ports, processId }),
    ({ services, ports }) => startListening(services, ports.lines),
    ({ services, ports, processId }) => startBridges({ services, lines: ports.lines, processId }),
  ],
  takeMqttMessage,
  takeDatagram,
};

/** All domains, in starting order; they are stopped in reverse. */
export const domains: readonly Domain[] = [
  letters,
  companies,
  users,
  guessing,
  captcha,
  auth,
  profile,
  listViews,
  registration,
  shell,
  models,
  messages,
  attributes,
  schedules,
  devices,
  gateways,
  baseStations,
  live,
  codecs,
  uplinks,
  tasks(commandTasks),
  control,
  pollGroups,
  polling,
  dialogue(lineWork),
  bridge,
  lines,
  imports,
  sheets,
  mappings,
  networkServers,
  simulation,
  modems,
  licence,
  administration,
  auditLog,
  retention,
  objects,
  periods,
  accountingPoints,
  map,
  consumption,
  smartImport,
  addresses,
  parties,
  balances,
  validation(askSlots),
  completeness,
  services,
];
