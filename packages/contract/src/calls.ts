import { accountingPoints } from "./accounting/accountingPoints.ts";
import { addresses } from "./accounting/addresses.ts";
import { administration } from "./platform/administration.ts";
import { accessGroups } from "./access/accessGroups.ts";
import { attributes } from "./metering/attributes.ts";
import { auditLog } from "./access/auditLog.ts";
import { auth } from "./access/auth.ts";
import { balances } from "./accounting/balances.ts";
import { baseStations } from "./metering/baseStations.ts";
import { bridge } from "./headend/bridge.ts";
import { captcha } from "./access/captcha.ts";
import { codecs, decodeAgain } from "./metering/codecs.ts";
import { companies } from "./access/companies.ts";
import { currentCompany } from "./access/company.ts";
import { control } from "./headend/control.ts";
import { completeness } from "./insight/completeness.ts";
import { consumers, subjects } from "./access/consumers.ts";
import type { Call, Calls } from "./core/call.ts";
import { gateways } from "./metering/gateways.ts";
import { imports } from "./metering/imports/imports.ts";
import { lines } from "./headend/lines.ts";
import { listViews } from "./core/listViews.ts";
import { mappings } from "./headend/mappings.ts";
import { mqttAccount } from "./metering/mqttAccount.ts";
import { networkServers } from "./headend/networkServers.ts";
import { objectMap } from "./accounting/objectMap.ts";
import { smartImport } from "./accounting/smartImport.ts";
import { objectConsumption } from "./accounting/objectConsumption.ts";
import { objectHeat } from "./accounting/objectHeat.ts";
import { objects } from "./accounting/objects.ts";
import { objectTies } from "./accounting/objectTies.ts";
import { peakHours } from "./metering/peakHours.ts";
import { periods } from "./accounting/periods.ts";
import { licence } from "./access/licence.ts";
import { push } from "./metering/push.ts";
import { quarantine } from "./metering/quarantine.ts";
import { readings } from "./metering/readings.ts";
import { companyModels, messageGroups } from "./metering/startLists.ts";
import { retention } from "./headend/retention.ts";
import { registration } from "./access/registration.ts";
import { deviceLog } from "./metering/deviceLog.ts";
import { deviceRecord } from "./metering/deviceRecord.ts";
import { devices } from "./metering/devices.ts";
import { deviceTrash } from "./metering/deviceTrash.ts";
import { members, userSessions } from "./access/members.ts";
import { models } from "./metering/models.ts";
import { modelSheets } from "./metering/modelSheet.ts";
import { adminBroker, inbox } from "./headend/modems.ts";
import { polling } from "./headend/polling.ts";
import { pollGroups } from "./headend/pollGroups.ts";
import { pointData } from "./accounting/pointData.ts";
import { pointImport } from "./accounting/pointImport.ts";
import { pointDevices, pointTransformers } from "./accounting/pointDevices.ts";
import { pointHistory } from "./accounting/pointHistory.ts";
import { pointFiles } from "./accounting/pointFiles.ts";
import { pollPlan } from "./headend/pollPlan.ts";
import { tasks } from "./headend/tasks.ts";
import { memberTwoFactor, ownSessions, profile, twoFactor } from "./access/profile.ts";
import { schedules } from "./core/schedules.ts";
import { services } from "./access/services.ts";
import { sheetImports } from "./metering/imports/sheetImports.ts";
import { shell } from "./platform/shell.ts";
import { simulation } from "./platform/simulation.ts";
import { singleSignOn } from "./access/singleSignOn.ts";
import { suppliers } from "./access/suppliers.ts";
import { ties } from "./accounting/ties.ts";
import { transformers } from "./accounting/transformers.ts";
import { validation } from "./accounting/validation.ts";
import { users } from "./access/users.ts";

/** Call tables of all domains. A new domain is added here, which includes its calls in the walking tests. */
const tables: readonly Calls[] = [
  auth,
  singleSignOn,
  captcha,
  registration,
  currentCompany,
  companies,
  peakHours,
  auditLog,
  retention,
  services,
  users,
  members,
  userSessions,
  accessGroups,
  listViews,
  models,
  modelSheets,
  codecs,
  decodeAgain,
  devices,
  deviceRecord,
  deviceTrash,
  deviceLog,
  attributes,
  schedules,
  gateways,
  lines,
  baseStations,
  sheetImports,
  ties,
  objects,
  objectMap,
  objectConsumption,
  objectHeat,
  smartImport,
  addresses,
  objectTies,
  periods,
  accountingPoints,
  pointDevices,
  pointTransformers,
  consumers,
  subjects,
  suppliers,
  transformers,
  pointData,
  pointImport,
  pointHistory,
  pointFiles,
  balances,
  readings,
  quarantine,
  completeness,
  push,
  messageGroups,
  companyModels,
  tasks,
  control,
  polling,
  pollGroups,
  pollPlan,
  profile,
  twoFactor,
  memberTwoFactor,
  ownSessions,
  shell,
  administration,
  adminBroker,
  inbox,
  licence,
  bridge,
  imports,
  mappings,
  mqttAccount,
  networkServers,
  simulation,
  validation,
];

/** Every declared call, by its id. Throws Error for a duplicate. */
export const contract: ReadonlyMap<string, Call> = byId(tables.flatMap((table) => Object.values(table)));

function byId(calls: readonly Call[]): Map<string, Call> {
  const found = new Map(calls.map((each) => [each.id, each]));
  if (found.size !== calls.length) throw new Error("two calls have the same id");
  return found;
}
