import type { Migration } from "../migrate.ts";
import companies from "./0001-companies.ts";
import devices from "./0002-devices.ts";
import telemetry from "./0003-telemetry.ts";
import live from "./0004-live.ts";
import polling from "./0005-polling.ts";
import installation from "./0006-installation.ts";
import signIn from "./0007-sign-in.ts";
import letters from "./0008-letters.ts";
import users from "./0009-users.ts";
import services from "./0010-services.ts";
import administration from "./0011-administration.ts";
import profile from "./0012-profile.ts";
import design from "./0013-design.ts";
import once from "./0014-once.ts";
import deviceSecrets from "./0015-device-secrets.ts";
import codecs from "./0016-codecs.ts";
import modemConnections from "./0017-modem-connections.ts";
import networkSessions from "./0018-network-sessions.ts";
import bridge from "./0019-bridge.ts";
import archives from "./0020-archives.ts";
import networkServers from "./0021-network-servers.ts";
import lines from "./0022-lines.ts";
import mqttAccounts from "./0023-mqtt-accounts.ts";
import parkAccount from "./0024-park-account.ts";
import networkServerReasons from "./0025-network-server-reasons.ts";
import webhookDownlinks from "./0026-webhook-downlinks.ts";
import pollingSwitch from "./0027-polling-switch.ts";
import valueOrigins from "./0028-value-origins.ts";
import fieldByField from "./0029-field-by-field.ts";
import revisionNumbers from "./0030-revision-numbers.ts";
import zoneChanges from "./0031-zone-changes.ts";
import quarantine from "./0032-quarantine.ts";
import oneNumberSpace from "./0034-one-number-space.ts";
import retention from "./0035-retention.ts";
import journals from "./0036-journals.ts";
import lineTokens from "./0039-line-tokens.ts";
import recordFormats from "./0043-record-formats.ts";
import uplinkQuarantine from "./0044-uplink-quarantine.ts";
import deviceRemoval from "./0045-device-removal.ts";
import deviceLists from "./0046-device-lists.ts";
import deviceAttributes from "./0047-device-attributes.ts";
import gatewayForms from "./0050-gateway-forms.ts";
import taskLists from "./0055-task-lists.ts";
import pollGroups from "./0056-poll-groups.ts";
import completeness from "./0060-completeness.ts";
import ownReferences from "./0061-own-references.ts";
import askedHoles from "./0065-asked-holes.ts";
import archiveHoles from "./0066-archive-holes.ts";
import enteredLines from "./0071-entered-lines.ts";
import deviceChanges from "./0076-device-changes.ts";
import deviceCommands from "./0078-device-commands.ts";
import commandDownlinks from "./0079-command-downlinks.ts";
import sheetImports from "./0072-sheet-imports.ts";
import deviceSchedules from "./0083-device-schedules.ts";
import openTasks from "./0077-open-tasks.ts";
import storedRequests from "./0081-stored-requests.ts";
import carrierArchive from "./0085-carrier-archive.ts";
import carrierSearch from "./0086-carrier-search.ts";
import listViews from "./0088-list-views.ts";
import objects from "./0090-objects.ts";
import objectLevels from "./0091-object-levels.ts";
import gatewayControl from "./0087-gateway-control.ts";
import accountingPoints from "./0092-accounting-points.ts";
import settlementPeriods from "./0104-settlement-periods.ts";
import virtualDevices from "./0105-virtual-devices.ts";
import readingDue from "./0093-reading-due.ts";
import pointDue from "./0094-point-due.ts";
import pointPlaces from "./0095-point-places.ts";
import untrustedReadings from "./0096-untrusted-readings.ts";
import objectPlaces from "./0102-object-places.ts";
import smartImport from "./0103-smart-import.ts";
import erasedConsumers from "./0097-erased-consumers.ts";
import balanceGroups from "./0098-balance-groups.ts";
import validation from "./0100-validation.ts";
import deviceTexts from "./0106-device-texts.ts";
import tieLocks from "./0107-tie-locks.ts";
import numberedDevices from "./0108-numbered-devices.ts";
import releasedModems from "./0109-released-modems.ts";
import pollPause from "./0110-poll-pause.ts";
import frozenOrders from "./0111-frozen-orders.ts";
import awaitedUplinks from "./0112-awaited-uplinks.ts";
import downlinksInTime from "./0113-downlinks-in-time.ts";
import objectChildren from "./0114-object-children.ts";
import commandMessages from "./0115-command-messages.ts";
import judgedCommands from "./0116-judged-commands.ts";
import periodLosses from "./0117-period-losses.ts";
import rareReadings from "./0120-rare-readings.ts";
import carriedAmounts from "./0121-carried-amounts.ts";
import packedDays from "./0122-packed-days.ts";
import dueByTime from "./0123-due-by-time.ts";
import monthOfDays from "./0124-month-of-days.ts";
import newestPointsFirst from "./0125-newest-points-first.ts";
import enteredArchives from "./0126-entered-archives.ts";
import foundPoints from "./0129-found-points.ts";
import unmeteredTime from "./0130-unmetered-time.ts";
import monthsReadSeldom from "./0135-months-read-seldom.ts";
import dividedGaps from "./0136-divided-gaps.ts";
import digestOfLosses from "./0145-digest-of-losses.ts";
import zonesOfPoints from "./0146-zones-of-points.ts";
import wholeRecounts from "./0150-whole-recounts.ts";
import deviceSerials from "./0153-device-serials.ts";
import provenAddresses from "./0169-proven-addresses.ts";
import termsJudged from "./0154-terms-judged.ts";
import ratiosOfRegisters from "./0155-ratios-of-registers.ts";
import scheduledRuns from "./0156-scheduled-runs.ts";
import keysOfLetters from "./0157-keys-of-letters.ts";
import processNumbers from "./0163-process-numbers.ts";
import dlmsWrapper from "./0170-dlms-wrapper.ts";
import networkWords from "./0171-network-words.ts";
import oneAddressLetter from "./0172-one-address-letter.ts";
import mqttRefusals from "./0179-mqtt-refusals.ts";

/** Ordered by hand: a released step is never edited, a new one is appended. */
export const migrations: readonly Migration[] = [
  companies,
  devices,
  telemetry,
  live,
  polling,
  installation,
  signIn,
  letters,
  users,
  services,
  administration,
  profile,
  design,
  once,
  deviceSecrets,
  codecs,
  modemConnections,
  networkSessions,
  bridge,
  archives,
  networkServers,
  lines,
  mqttAccounts,
  parkAccount,
  networkServerReasons,
  webhookDownlinks,
  pollingSwitch,
  valueOrigins,
  fieldByField,
  revisionNumbers,
  zoneChanges,
  quarantine,
  oneNumberSpace,
  retention,
  journals,
  lineTokens,
  recordFormats,
  uplinkQuarantine,
  deviceRemoval,
  deviceLists,
  deviceAttributes,
  gatewayForms,
  taskLists,
  pollGroups,
  completeness,
  ownReferences,
  askedHoles,
  archiveHoles,
  enteredLines,
  deviceChanges,
  sheetImports,
  deviceSchedules,
  openTasks,
  storedRequests,
  deviceCommands,
  commandDownlinks,
  carrierArchive,
  carrierSearch,
  listViews,
  objects,
  objectLevels,
  gatewayControl,
  accountingPoints,
  readingDue,
  pointDue,
  settlementPeriods,
  virtualDevices,
  pointPlaces,
  untrustedReadings,
  objectPlaces,
  erasedConsumers,
  balanceGroups,
  validation,
  smartImport,
  deviceTexts,
  tieLocks,
  numberedDevices,
  releasedModems,
  pollPause,
  frozenOrders,
  awaitedUplinks,
  downlinksInTime,
  objectChildren,
  commandMessages,
  judgedCommands,
  periodLosses,
  rareReadings,
  carriedAmounts,
  packedDays,
  dueByTime,
  monthOfDays,
  newestPointsFirst,
  enteredArchives,
  foundPoints,
  unmeteredTime,
  monthsReadSeldom,
  dividedGaps,
  digestOfLosses,
  zonesOfPoints,
  wholeRecounts,
  deviceSerials,
  termsJudged,
  ratiosOfRegisters,
  scheduledRuns,
  keysOfLetters,
  processNumbers,
  provenAddresses,
  dlmsWrapper,
  networkWords,
  oneAddressLetter,
  mqttRefusals,
];
