import { modelById } from "@metrum/catalogue";
import type { ExchangeStep, TaskLog } from "@metrum/contract/headend";
import {
  fromHex,
  ProtocolError,
  toHex,
  type Driver,
  type ExplainedStep,
  type RecordFormats,
} from "@metrum/protocols/core";
import type { Ctx } from "#core";
import { openSecrets, type DeviceSecrets } from "#metering/devices";
import { modelAndSecrets } from "./askedStore.ts";
import { maskSecrets, type LoggedStep } from "./exchange.ts";
import type { LogRow } from "./logPageStore.ts";
import { knownFormats, sendsCompact } from "./recordFormatStore.ts";
import { factorySecrets } from "./secrets.ts";

/** Decoder of the bytes of a device. */
export interface LoggedDevice {
  readonly driver: Driver | undefined;
  /** For a device that encrypts its telegrams. */
  readonly keys?: NonNullable<DeviceSecrets["keys"]>;
  /** For a device that sends compact frames. */
  readonly formats?: RecordFormats;
}

/** Driver and keys of a device of the company. Primary keys. */
export async function loggedDevice(
  { db, scope, secretBox, log }: Pick<Ctx, "db" | "scope" | "secretBox" | "log">,
  deviceId: number,
): Promise<LoggedDevice> {
  const row = await modelAndSecrets(db, scope.companyId, deviceId);
  const model = row && modelById(row.modelId);
  const driver = model?.kind === "meter" ? model.driver : undefined;
  if (driver?.kind !== "uplink" || !row) return { driver };
  const shown = sendsCompact(driver) ? { driver, formats: await knownFormats(db, deviceId) } : { driver };
  try {
    const { keys } = openSecrets(secretBox, deviceId, row.sealed);
    return keys === undefined ? shown : { ...shown, keys };
  } catch (error) {
    log.error({ err: error, device: deviceId }, "secrets of a device do not open");
    return shown;
  }
}

/** A row as the call returns it: every byte of its steps explained, by the driver of the model. */
export function explainRow({ steps, ...row }: LogRow, device: LoggedDevice): TaskLog {
  return steps ? { ...row, steps: explainSteps(steps, device) } : row;
}

/** Steps of one dialogue with their meaning; bytes that the driver cannot read have none. */
export function explainSteps(steps: readonly LoggedStep[], device: LoggedDevice): ExchangeStep[] {
  const shown = steps.map((step) => withoutPassword(step, device));
  const spans = spansOf(shown, device);
  return shown.map((step, at) => explainedStep(step, spans[at]));
}

/** Rows written before passwords of models were masked are masked when read. */
function withoutPassword(step: LoggedStep, { driver }: LoggedDevice): LoggedStep {
  const secrets = factorySecrets(driver);
  if (secrets.length === 0) return step;
  const hide = (hex: string): string => toHex(maskSecrets(fromHex(hex), secrets));
  return { ...step, sent: hide(step.sent), received: hide(step.received) };
}

function explainedStep(step: LoggedStep, spans: ExplainedStep = unexplained): ExchangeStep {
  return {
    label: step.label,
    try: step.try,
    tries: step.tries,
    at_ms: step.at,
    answered_ms: step.answered,
    ended_ms: step.ended,
    sent: step.sent,
    received: step.received,
    error: step.error ? { ...step.error, offset: step.error.offset ?? null } : null,
    sent_spans: [...spans.sent],
    received_spans: [...spans.received],
  };
}

const unexplained: ExplainedStep = { sent: [], received: [] };

function spansOf(steps: readonly LoggedStep[], device: LoggedDevice): readonly ExplainedStep[] {
  const { driver } = device;
  if (driver?.kind !== "line" || !driver.explainDialogue)
    return steps.map((step) => spansOfOne(step, device));
  return driver.explainDialogue(
    steps.map(({ sent, received }) => ({ sent: fromHex(sent), received: fromHex(received) })),
  );
}

/** Bytes that the driver cannot read are shown without an explanation. */
function spansOfOne(step: LoggedStep, { driver, ...device }: LoggedDevice): ExplainedStep {
  const sent = fromHex(step.sent);
  const received = fromHex(step.received);
  try {
    if (driver?.kind === "line") return driver.explain(sent, received);
    // The driver of the model would misinterpret payloads that are decoded by a codec of the company.
    if (driver?.kind === "uplink" && step.fport !== undefined && step.codec === undefined)
      return { sent: [], received: driver.explain(received, step.fport, device) };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
  }
  return unexplained;
}
