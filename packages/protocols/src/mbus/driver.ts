import type { ResourceKey } from "@metrum/vocabulary";
import { readTogether } from "../core/command.ts";
import type { Conversation } from "../core/conversation.ts";
import type { DeviceAddress, KeptArchive, LineDriver, PollRequest } from "../core/driver.ts";
import { ProtocolError } from "../core/errors.ts";
import { obeyAlways } from "../core/orders.ts";
import { withSerial, type Reading } from "../core/reading.ts";
import { clockStepOf, mbusCommands } from "./commands.ts";
import { parseCode } from "./encode.ts";
import { explainBytes } from "./explain.ts";
import {
  inZoneOf,
  isClockCode,
  prepareRow,
  readingsOf,
  type MbusArchive,
  type MbusRow,
  type ReadingPlan,
} from "./readings.ts";
import { meterResponder, type MeterIdentity } from "./responder.ts";
import { readTelegrams } from "./session.ts";
import { targetOf } from "./target.ts";

/** A family of M-Bus meters, as its data sheet describes it. */
export interface MbusOptions extends MeterIdentity {
  /** Determines the unit of fields shared by resources: a heat meter stores Gcal in tariff1. */
  readonly resource: ResourceKey;
  /** Records of the telegram in the order of sending. */
  readonly records: readonly MbusRow[];
  readonly archives?: readonly MbusArchive[];
  /**
   * The meter's standard time against UTC if the device has none; the telegram carries no zone. Default 0.
   */
  readonly utcOffsetMinutes?: number;
  /** Baud rate of the line, for the time limits. Default 2400. */
  readonly baud?: number;
}

/**
 * Driver of a family of wired M-Bus meters.
 * Source: EN 13757-2 and EN 13757-3. Layout: `records` maps records to fields, see `MbusRow`.
 * Addresses: `insideAddr` "1" to "250" (primary) or eight digits of the meter's number (secondary), see
 * `targetOf`.
 * Units: the vocabulary's for the resource (heat energy in Gcal). Errors: of the conversation, ProtocolError
 * as `readTelegrams`, "unexpected" when none of the model's records is in the answer, "unsupported" for an
 * archive that the model has not; here, RangeError for a row whose code and field measure different things.
 */
export function mbus(options: MbusOptions): LineDriver {
  const { resource, utcOffsetMinutes = 0, baud = 2400 } = options;
  const plan: ReadingPlan = {
    resource,
    utcOffsetMinutes,
    rows: options.records.map((row) => prepareRow(row, resource)),
    archives: (options.archives ?? []).map((archive) => ({
      ...archive,
      rows: archive.rows.map((row) => prepareRow(row, resource)),
      dateCode: parseCode(archive.date),
    })),
  };
  const clock = plan.rows.find(({ code }) => isClockCode(code))?.code;
  return {
    kind: "line",
    protocol: "mbus",
    archives: (options.archives ?? []).map(keptArchive),
    commands: {
      ...readTogether((device) => poll(inZoneOf(plan, device), { request: { kind: "now" }, device, baud })),
      ...mbusCommands(clock, { planOf: (device) => inZoneOf(plan, device), baud }),
    },
    ...(clock ? { clockStepSec: clockStepOf(clock) } : {}),
    poll: (request, device) => poll(inZoneOf(plan, device), { request, device, baud }),
    respond: (device, state, now, _history, takeOrder) =>
      meterResponder({
        identity: options,
        plan: inZoneOf(plan, device),
        device,
        state,
        now,
        takeOrder: takeOrder ?? obeyAlways,
      }),
    explain: (sent, received) => ({ sent: explainBytes(sent), received: explainBytes(received) }),
  };
}

const daySec = 86_400;
const slotSec = { 100: 3600, 101: daySec, 103: 31 * daySec } as const;

const keptArchive = ({ msgType, count }: MbusArchive): KeptArchive => ({
  msgType,
  period: msgType === 103 ? "month" : slotSec[msgType],
  depthSec: count * slotSec[msgType],
});

function* poll(
  plan: ReadingPlan,
  of: { request: PollRequest; device: DeviceAddress; baud: number },
): Conversation<Reading[]> {
  const { request } = of;
  if (request.kind === "archive" && !plan.archives.some(({ msgType }) => msgType === request.msgType))
    throw new ProtocolError("unsupported", "the meter keeps no such archive");
  const telegrams = yield* readTelegrams(targetOf(of.device), of.baud);
  const readings = readingsOf(
    plan,
    telegrams.flatMap(({ records }) => records),
  );
  if (readings.length === 0)
    throw new ProtocolError("unexpected", "none of the records that the model names is in the answer");
  if (request.kind === "now") return withSerial(readings, telegrams[0]?.header?.id);
  const { msgType, from, to } = request;
  return readings.filter(
    (each) => each.msgType === msgType && each.at !== null && each.at >= from && each.at < to,
  );
}
