import { accountingPoints } from "./accountingPoints.ts";
import { addresses } from "./addresses.ts";
import { administration } from "./administration.ts";
import { accessGroups } from "./accessGroups.ts";
import { attributes } from "./attributes.ts";
import { auditLog } from "./auditLog.ts";
import { auth } from "./auth.ts";
import { balances } from "./balances.ts";
import { baseStations } from "./baseStations.ts";
import { bridge } from "./bridge.ts";
import { captcha } from "./captcha.ts";
import { codecs, decodeAgain } from "./codecs.ts";
import { companies } from "./companies.ts";
import { currentCompany } from "./company.ts";
import { control } from "./control.ts";
import { completeness } from "./completeness.ts";
import { consumers, subjects } from "./consumers.ts";
import type { Call, Calls } from "./core/call.ts";
import { gateways } from "./gateways.ts";
import { imports } from "./imports.ts";
import { lines } from "./lines.ts";
import { listViews } from "./listViews.ts";
import { mappings } from "./mappings.ts";
import { mqttAccount } from "./mqttAccount.ts";
import { networkServers } from "./networkServers.ts";
import { objectMap } from "./objectMap.ts";
import { smartImport } from "./smartImport.ts";
import { objectConsumption } from "./objectConsumption.ts";
import { objectHeat } from "./objectHeat.ts";
import { objects } from "./objects.ts";
import { objectTies } from "./objectTies.ts";
import { peakHours } from "./peakHours.ts";
import { periods } from "./periods.ts";
import { licence } from "./licence.ts";
import { push } from "./push.ts";
import { quarantine } from "./quarantine.ts";
import { readings } from "./readings.ts";
import { companyModels, messageGroups } from "./startLists.ts";
import { retention } from "./retention.ts";
import { registration } from "./registration.ts";
import { deviceLog } from "./deviceLog.ts";
import { deviceRecord } from "./deviceRecord.ts";
import { devices } from "./devices.ts";
import { deviceTrash } from "./deviceTrash.ts";
import { members, userSessions } from "./members.ts";
import { models } from "./models.ts";
import { modelSheets } from "./modelSheet.ts";
import { adminBroker, inbox } from "./modems.ts";
import { polling } from "./polling.ts";
import { pollGroups } from "./pollGroups.ts";
import { pointData } from "./pointData.ts";
import { pointImport } from "./pointImport.ts";
import { pointDevices, pointTransformers } from "./pointDevices.ts";
import { pointFiles, pointHistory } from "./pointHistory.ts";
import { pollPlan } from "./pollPlan.ts";
import { tasks } from "./tasks.ts";
import { memberTwoFactor, ownSessions, profile, twoFactor } from "./profile.ts";
import { schedules } from "./schedules.ts";
import { services } from "./services.ts";
import { sheetImports } from "./sheetImports.ts";
import { shell } from "./shell.ts";
import { simulation } from "./simulation.ts";
import { singleSignOn } from "./singleSignOn.ts";
import { suppliers } from "./suppliers.ts";
import { ties } from "./ties.ts";
import { transformers } from "./transformers.ts";
import { validation } from "./validation.ts";
import { users } from "./users.ts";

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
