export { record, recordEach, type Recording } from "./audit/audit.ts";
export { audit, auditEach, type AuditEntry } from "./audit/auditStore.ts";
export { Batcher, type BatcherOptions } from "./batcher.ts";
export { createBus, type Bus, type Events } from "./bus.ts";
export {
  dayOf,
  dayText,
  hourOf,
  offsetSec,
  standardOffsetSec,
  startOfDay,
  type Day,
} from "./time/calendar.ts";
export { readCertificate, type Certificate, type CertificateFiles } from "./certificate.ts";
export { pause, systemClock, type Clock } from "./time/clock.ts";
export { watchClock } from "./time/clockWatch.ts";
export { lockTree, runAlone, runInTurn } from "./database/advisoryLock.ts";
export { isDatabaseAway } from "./database/away.ts";
export { containing } from "./database/fragments/containing.ts";
export { openDatabase, type Database, type Db } from "./database/database.ts";
export { foundPage, type FoundBy, type FoundPage } from "./database/fragments/foundPage.ts";
export {
  canRemember,
  forget,
  forgetSome,
  remember,
  rememberAlso,
  remembered,
} from "./database/installationStore.ts";
export { isAlive } from "./database/embedded/pidFile.ts";
export { loweredTexts } from "./database/fragments/loweredStore.ts";
export { migrate, migrateTo, pendingMigrations } from "./database/migrate.ts";
export { isDataFault, isDeadlock, isPoison } from "./database/dataFault.ts";
export { readUntil } from "./database/readUntil.ts";
export { requireRights } from "./database/rights.ts";
export { acceptSecretsKey, holdSecretsKey, requireSecretsKey } from "./database/secretsKey.ts";
export { isExclusionViolation, isUniqueViolation, sqlStateOf, sqlStates } from "./database/sqlState.ts";
export { storableJson, storableText } from "./database/storable.ts";
export { resolve, resolveOne, type ScopedId, type ScopedKind } from "./database/resolve.ts";
export type { Scope } from "./database/scope.ts";
export type { Tables } from "./database/tables.ts";
export {
  companyDevices,
  inBranches,
  tiedDevices,
  tiedObjects,
  visibleBalanceGroups,
  visibleCarriers,
  visibleDevices,
  visibleParties,
  visiblePoints,
  type DeviceScope,
} from "./database/fragments/visibleDevices.ts";
export { freezeChannel, freezesOver, isControlStopped, isFrozen } from "./database/fragments/freezes.ts";
export { beginSnapshot, beginUnwaited, inTransaction, together, unwaited } from "./database/transaction.ts";
export { createTurns, type Turns } from "./database/turns.ts";
export {
  createPartitions,
  dropExpired,
  makeAllAhead,
  partitionedTable,
  partitionedTables,
  partitionsOf,
  tendAlone,
  type PartitionedTable,
  type Partitions,
} from "./partitions/index.ts";
export {
  absolute,
  amountOf,
  amountOfMicro,
  decimal,
  decimalOf,
  difference,
  exactOf,
  exactProduct,
  factorOf,
  isEqual,
  keepsDigits,
  microIn,
  microOf,
  microScale,
  microUnit,
  minus,
  mostMicro,
  numberOf,
  ofMicro,
  one,
  oneFactor,
  partOf,
  percentOf,
  plus,
  product,
  rounded,
  roundedTo,
  share,
  shareOf,
  shown,
  sum,
  textOf,
  times,
  unitsAt,
  wholeIn,
  wholeOf,
  zero,
  type Decimal,
  type Exact,
} from "./numbers/decimal.ts";
export {
  commaIn,
  decimalMark,
  fixedText,
  numberText,
  readNumber,
  type ReadNumber,
} from "./numbers/numbers.ts";
export { startedOnce, type Domain, type Stop } from "./domain.ts";
export { hasCode } from "./errorCode.ts";
export { createFileThread } from "./threads/fileThread.ts";
export { faultOfMessage, placeOfFault } from "./messageFaults.ts";
export { serveFiles } from "./threads/serveFiles.ts";
export { startRounds, type Rounds } from "./rounds.ts";
export { scheduleReports, startSchedules, type ScheduledWork } from "./schedule/index.ts";
export type { Dataset } from "./datasets/index.ts";
export type { Ctx, Parts, PublicCtx, Services, Session } from "./http/context.ts";
export { handleErrors, refuseWhileAway, sendProblem } from "./http/errors.ts";
export { createFileSlots } from "./http/fileSlots.ts";
export { withFiles } from "./http/files.ts";
export type { ResolveSession } from "./http/gate.ts";
export { languageOf } from "./http/language.ts";
export { faultWords, problemWords, withMessage } from "./http/reply.ts";
export { serve, type Api, type Handlers } from "./http/serve.ts";
export { jsonOf } from "./json.ts";
export { createLog, loggedRequest, type Log } from "./log.ts";
export { networkOf } from "./network.ts";
export { createMetrics, type Figure, type Metrics } from "./metrics.ts";
export type { Listener } from "./notify.ts";
export { createSecretBox, secretsKeyFile, type SecretBox } from "./secrets.ts";
export { diskSpace, isOutOfSpace, watchDisk } from "./storage.ts";
export { defaultZone, isZone, offsetHours, zoneOfOffset } from "./time/timeZone.ts";
export { observe } from "./http/observe.ts";
export { describedCall } from "./http/openApi.ts";
export { checked } from "./http/wrongFields.ts";
export { noFiles } from "./http/files.ts";
export type { SheetFaultCode } from "./sheets/read/fault.ts";
export { changedNumber } from "./sheets/read/identity.ts";
export type { IsKnown, UploadedSheet } from "./sheets/read/headed.ts";
export { fieldNamed } from "./sheets/read/heads.ts";
export type { SheetCell, SheetRow } from "./sheets/read/sheetRow.ts";
export { createSheetReader, type SheetReader } from "./sheets/read/sheetReader.ts";
export {
  connectOut,
  destinationOf,
  OutgoingLate,
  OutgoingRefused,
  postOut,
  refuseHost,
  type Destination,
} from "./outgoing.ts";
export { deviceHostOf } from "./http/deviceHost.ts";
export { barePicture, pictureOf } from "./pictures/index.ts";
export { readFromProxy } from "./http/proxy.ts";
export { servePage } from "./http/page.ts";
export { crossOrigin, secureHeaders } from "./http/security.ts";
export { closeOnUnreadBody } from "./http/unreadBody.ts";
export { version } from "./version.ts";
export { workerProgram, type WorkerProgram } from "./threads/workerProgram.ts";
